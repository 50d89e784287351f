import { randomUUID } from 'node:crypto';
import { decodeBatch, encodeBatch, MESSAGE_FIELDS } from '@mailsweep/gmail/protocol';
import { type Check, type CheckContext, compare, type Finding } from '../check.ts';
import type { QuotaRefusal } from '../gmail-client.ts';

const PAGE = 100;
/** What the product sends at a time: Gmail was seen to refuse more calls at once. */
const BATCH = 25;
const READ_UNITS = 20;

interface BatchReads {
  /** How many reads had each status. */
  statuses: ReadonlyMap<number, number>;
  hasRetryAfter: boolean;
  tookMs: number;
}

const readBatch = async (gmail: CheckContext['gmail'], ids: readonly string[]): Promise<BatchReads> => {
  const boundary = `live_check_${randomUUID()}`;
  const parts = ids.map((id) => ({
    contentId: randomUUID(),
    method: 'GET' as const,
    target: `/gmail/v1/users/me/messages/${id}?format=full&fields=${encodeURIComponent(MESSAGE_FIELDS)}`,
  }));
  const response = await gmail.postBatch(encodeBatch(parts, boundary), boundary, ids.length * READ_UNITS);
  const responses = decodeBatch(response.text, response.contentType);
  const statuses = new Map<number, number>();
  for (const { contentId } of parts) {
    const status = responses?.get(contentId)?.status ?? response.status;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  const hasRetryAfter = [...(responses?.values() ?? [])].some(({ retryAfter }) => retryAfter !== undefined);
  return { statuses, hasRetryAfter, tookMs: response.tookMs };
};

const join = (batches: readonly BatchReads[]): BatchReads => {
  const statuses = new Map<number, number>();
  for (const batch of batches) {
    for (const [status, count] of batch.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count);
  }
  return {
    statuses,
    hasRetryAfter: batches.some(({ hasRetryAfter }) => hasRetryAfter),
    tookMs: batches.reduce((sum, { tookMs }) => sum + tookMs, 0),
  };
};

const describe = ({ statuses }: BatchReads): string =>
  [...statuses]
    .toSorted(([one], [other]) => one - other)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ');

/** A page of messages that were never read before, in batches one after the other; then two batches at once. */
export const coldPageCheck: Check = {
  title: 'A cold page of 100',
  units: (messages) => (Math.min(PAGE, messages) + 2 * BATCH) * READ_UNITS,
  async run({ gmail, workspace }) {
    const ids = workspace.messageIds.slice(0, PAGE);
    const toBatches = (some: readonly string[]) =>
      Array.from({ length: Math.ceil(some.length / BATCH) }, (_, index) =>
        some.slice(index * BATCH, (index + 1) * BATCH),
      );
    const cold: BatchReads[] = [];
    for (const batch of toBatches(ids)) cold.push(await readBatch(gmail, batch));
    const inTurn = join(cold);
    const tookMs = Math.round(inTurn.tookMs);
    const atOnce = join(
      await Promise.all(toBatches(ids.slice(0, 2 * BATCH)).map((batch) => readBatch(gmail, batch))),
    );
    const findings: Finding[] = [
      compare({
        id: 'cold-page',
        title: `Reading ${ids.length} messages in batches of ${BATCH}, one after the other`,
        expected: `${ids.length} × 200`,
        observed: describe(inTurn),
      }),
      {
        id: 'cold-page-duration',
        title: 'How long that took',
        expected: 'within 10000 ms',
        observed: `${tookMs} ms`,
        verdict: tookMs <= 10_000 ? 'same' : 'different',
      },
      {
        id: 'batches-at-once',
        title: `Two batches of ${BATCH} at once`,
        expected: 'either refused in part or not',
        observed: describe(atOnce),
        verdict: ids.length < 2 * BATCH ? 'unknown' : 'same',
      },
    ];
    const all = join([inTurn, atOnce]);
    const isRefused = all.statuses.has(429) || all.statuses.has(403);
    return { findings, ...(isRefused && { behaviour: { retryAfterHeader: all.hasRetryAfter } }) };
  },
};

/** The refusals for quota of a whole run, batches aside. */
export const quotaFinding = (refusals: readonly QuotaRefusal[]): Finding => {
  const words = refusals.map(
    ({ status, reason, hasRetryAfter }) => `${status} ${reason}${hasRetryAfter ? ' with Retry-After' : ''}`,
  );
  return compare({
    id: 'quota-refusals',
    title: 'Refusals for quota during the run',
    expected: 'none',
    observed: [...new Set(words)].join(', ') || 'none',
  });
};
