const WINDOW_MS = 60_000;
/** Price of a call that the list below does not name, in quota units. */
const DEFAULT_UNITS = 5;
/**
 * What calls cost in quota units, as Google counts for projects that did not use the API before May 2026 (Gmail API
 * reference, "Usage limits"); the first match holds.
 */
const PRICES: readonly [name: string, verb: string, path: RegExp, units: number][] = [
  ['getProfile', 'GET', /\/profile$/, 1],
  ['labels.list', 'GET', /\/labels$/, 1],
  ['labels.get', 'GET', /\/labels\/[^/]+$/, 1],
  ['labels.create', 'POST', /\/labels$/, 5],
  ['history.list', 'GET', /\/history$/, 2],
  ['threads.get', 'GET', /\/threads\/[^/]+$/, 40],
  ['messages.list', 'GET', /\/messages$/, 5],
  ['messages.get', 'GET', /\/messages\/[^/]+$/, 20],
  ['messages.attachments.get', 'GET', /\/attachments\/[^/]+$/, 20],
  ['messages.batchModify', 'POST', /\/messages\/batchModify$/, 50],
  ['messages.batchDelete', 'POST', /\/messages\/batchDelete$/, 50],
  ['messages.trash', 'POST', /\/messages\/[^/]+\/trash$/, 20],
  ['messages.untrash', 'POST', /\/messages\/[^/]+\/untrash$/, 20],
  ['messages.modify', 'POST', /\/messages\/[^/]+\/modify$/, 5],
  ['messages.delete', 'DELETE', /\/messages\/[^/]+$/, 20],
  ['messages.insert', 'POST', /\/messages$/, 25],
  ['messages.send', 'POST', /\/messages\/send$/, 100],
];

/** A Gmail method, by its name in the API reference, and its price in quota units. */
interface PricedCall {
  name: string;
  units: number;
}

/** What a request to the Gmail API calls, and what it costs. */
export const priceOf = (verb: string, path: string): PricedCall => {
  const [name = 'other', , , units = DEFAULT_UNITS] =
    PRICES.find(([, pricedVerb, pattern]) => pricedVerb === verb && pattern.test(path)) ?? [];
  return { name, units };
};

/** Why a call may not be made. Milliseconds. */
type QuotaRefusal = { limit: 'units'; retryAfterMs: number } | { limit: 'concurrency' };

/**
 * The provider's limits per user: units in any 60 seconds, and calls at a time.
 *
 * @param options.unitsPerMinute - 0 sets no limit
 * @param options.concurrentCalls - 0 sets no limit
 */
export const createQuota = (options: {
  unitsPerMinute: number;
  concurrentCalls: number;
  usage: QuotaUsage;
  nowMs: () => number;
}) => {
  const { unitsPerMinute, concurrentCalls, usage, nowMs } = options;
  const spent = new Map<string, { atMs: number; units: number }[]>();
  const running = new Map<string, number>();

  /** How long until so many units are free again, in milliseconds; 0 when they are. */
  const waitFor = (email: string, units: number): number => {
    const recent = (spent.get(email) ?? []).filter(({ atMs }) => atMs > nowMs() - WINDOW_MS);
    spent.set(email, recent);
    let excess = recent.reduce((sum, entry) => sum + entry.units, 0) + units - unitsPerMinute;
    let freeAtMs = nowMs();
    for (const entry of recent) {
      if (excess <= 0) break;
      excess -= entry.units;
      freeAtMs = entry.atMs + WINDOW_MS;
    }
    return freeAtMs - nowMs();
  };

  const findRefusal = (email: string, { units }: PricedCall): QuotaRefusal | undefined => {
    if (concurrentCalls > 0 && (running.get(email) ?? 0) >= concurrentCalls) return { limit: 'concurrency' };
    const retryAfterMs = unitsPerMinute > 0 ? waitFor(email, units) : 0;
    return retryAfterMs > 0 ? { limit: 'units', retryAfterMs } : undefined;
  };

  return {
    /**
     * Charges a call to a user and counts it as in flight until `leave`.
     *
     * @returns why it may not be made; nothing is charged then, and nothing in flight
     */
    enter(email: string, call: PricedCall): QuotaRefusal | undefined {
      const refusal = findRefusal(email, call);
      if (refusal !== undefined) {
        usage.countRefusal(refusal.limit);
        return refusal;
      }
      const inFlight = (running.get(email) ?? 0) + 1;
      running.set(email, inFlight);
      spent.set(email, [...(spent.get(email) ?? []), { atMs: nowMs(), units: call.units }]);
      usage.count(call, inFlight);
      return undefined;
    },
    leave(email: string): void {
      running.set(email, (running.get(email) ?? 1) - 1);
    },
  };
};

export type Quota = ReturnType<typeof createQuota>;

/** Most marks at a time; the oldest are deleted first. */
const KEPT_MARKS = 100;

interface UsageReport {
  units: number;
  calls: number;
  byMethod: Record<string, { calls: number; units: number }>;
  /** Calls that a limit refused; they cost nothing. */
  refused: Record<QuotaRefusal['limit'], number>;
  peakInFlight: number;
}

const createReport = (): UsageReport => ({
  units: 0,
  calls: 0,
  byMethod: {},
  refused: { units: 0, concurrency: 0 },
  peakInFlight: 0,
});

/** Counts quota units, from the start and from any number of marks. */
export const createQuotaUsage = () => {
  const sinceStart = createReport();
  const sinceMark = new Map<number, UsageReport>();
  let lastMark = 0;
  const reports = () => [sinceStart, ...sinceMark.values()];

  return {
    count({ name, units }: PricedCall, inFlight: number): void {
      for (const report of reports()) {
        const method = report.byMethod[name] ?? { calls: 0, units: 0 };
        report.byMethod[name] = { calls: method.calls + 1, units: method.units + units };
        report.units += units;
        report.calls += 1;
        report.peakInFlight = Math.max(report.peakInFlight, inFlight);
      }
    },
    countRefusal(limit: QuotaRefusal['limit']): void {
      for (const report of reports()) report.refused[limit] += 1;
    },
    /** Starts another count, and returns its number. */
    mark(): number {
      lastMark += 1;
      sinceMark.set(lastMark, createReport());
      sinceMark.delete(lastMark - KEPT_MARKS);
      return lastMark;
    },
    /** The count since a mark, or since the start; undefined for a mark that is unknown. */
    report: (mark?: number): UsageReport | undefined =>
      mark === undefined ? sinceStart : sinceMark.get(mark),
  };
};
export type QuotaUsage = ReturnType<typeof createQuotaUsage>;
