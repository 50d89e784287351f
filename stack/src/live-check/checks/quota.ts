import { randomUUID } from 'node:crypto';
import { decodeBatch, encodeBatch, MESSAGE_FIELDS } from '@mailsweep/mailbox/protocol';
import { type Check, compare, type Finding } from '../check.ts';

const PAGE = 100;
const BATCH = 25;
const READ_UNITS = 20;

/** A page of messages never read before, as the product reads it: four batches at once. */
export const coldPageCheck: Check = {
  title: 'A cold page of 100',
  units: (messages) => Math.min(PAGE, messages) * READ_UNITS,
  async run({ gmail, workspace }) {
    const ids = workspace.messageIds.slice(0, PAGE);
    const statuses = new Map<number, number>();
    let hasRetryAfter = false;
    const readBatch = async (batch: readonly string[]) => {
      const boundary = `live_check_${randomUUID()}`;
      const parts = batch.map((id) => ({
        contentId: randomUUID(),
        method: 'GET' as const,
        target: `/gmail/v1/users/me/messages/${id}?format=full&fields=${encodeURIComponent(MESSAGE_FIELDS)}`,
      }));
      const response = await gmail.postBatch(
        encodeBatch(parts, boundary),
        boundary,
        batch.length * READ_UNITS,
      );
      const answers = decodeBatch(response.text, response.contentType);
      for (const { contentId } of parts) {
        const answer = answers?.get(contentId);
        const status = answer?.status ?? response.status;
        hasRetryAfter ||= answer?.retryAfter !== undefined;
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    const startedMs = performance.now();
    const batches = Array.from({ length: Math.ceil(ids.length / BATCH) }, (_, index) =>
      ids.slice(index * BATCH, (index + 1) * BATCH),
    );
    await Promise.all(batches.map(readBatch));
    const tookMs = Math.round(performance.now() - startedMs);
    const observed = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
    const refused = ids.length - (statuses.get(200) ?? 0);
    const findings: Finding[] = [
      compare({
        id: 'cold-page',
        title: `Reading ${ids.length} messages in batches of ${BATCH}`,
        expected: `${ids.length} × 200`,
        observed,
      }),
      {
        id: 'cold-page-duration',
        title: 'How long that took',
        expected: 'within 10,000 ms',
        observed: `${tookMs} ms`,
        verdict: tookMs < 10_000 ? 'same' : 'different',
      },
    ];
    return { findings, ...(refused > 0 && { behaviour: { retryAfterHeader: hasRetryAfter } }) };
  },
};

/** The refusals for quota of a whole run. */
export const quotaFinding = (
  refusals: readonly { status: number; reason: string; hasRetryAfter: boolean }[],
): Finding => ({
  ...compare({
    id: 'quota-refusals',
    title: 'Refusals for quota during the run',
    expected: 'none',
    observed:
      [
        ...new Set(
          refusals.map(
            ({ status, reason, hasRetryAfter }) =>
              `${status} ${reason}${hasRetryAfter ? ' with Retry-After' : ''}`,
          ),
        ),
      ].join(', ') || 'none',
  }),
});
