import type { PricedCall, QuotaRefusal } from './quota.ts';

/** Most marks at a time; the oldest are deleted first. */
const KEPT_MARKS = 100;

/** What was asked of the provider since some moment. */
export interface UsageReport {
  units: number;
  calls: number;
  /** By the name of the Gmail method. */
  byMethod: Record<string, { calls: number; units: number }>;
  /** Calls that a limit refused; they cost nothing. */
  refused: Record<QuotaRefusal['limit'], number>;
  /** The most calls of one user that were in flight at once. */
  peakInFlight: number;
}

/** Counts quota units, from the start and from any number of marks. */
export interface QuotaUsage {
  count(call: PricedCall, inFlight: number): void;
  countRefusal(limit: QuotaRefusal['limit']): void;
  /** Starts another count, and returns its number. */
  mark(): number;
  /** The count since a mark, or since the start; undefined for a mark that is unknown. */
  report(mark?: number): UsageReport | undefined;
}

const createReport = (): UsageReport => ({
  units: 0,
  calls: 0,
  byMethod: {},
  refused: { units: 0, concurrency: 0 },
  peakInFlight: 0,
});

export const createQuotaUsage = (): QuotaUsage => {
  const sinceStart = createReport();
  const sinceMark = new Map<number, UsageReport>();
  let lastMark = 0;
  const reports = () => [sinceStart, ...sinceMark.values()];

  return {
    count({ name, units }, inFlight) {
      for (const report of reports()) {
        const method = report.byMethod[name] ?? { calls: 0, units: 0 };
        report.byMethod[name] = { calls: method.calls + 1, units: method.units + units };
        report.units += units;
        report.calls += 1;
        report.peakInFlight = Math.max(report.peakInFlight, inFlight);
      }
    },
    countRefusal(limit) {
      for (const report of reports()) report.refused[limit] += 1;
    },
    mark() {
      lastMark += 1;
      sinceMark.set(lastMark, createReport());
      sinceMark.delete(lastMark - KEPT_MARKS);
      return lastMark;
    },
    report: (mark) => (mark === undefined ? sinceStart : sinceMark.get(mark)),
  };
};
