import { respondWithSuggestions } from '@mailsweep/ml-client/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually, openRow } from './harness/campaign.ts';
import { ADA, explainFailure, type FaultStack, startFaultStack } from './harness/fault-stack.ts';
import { mails } from './harness/google.ts';

const GRACE = 'grace@example.com';
const SUGGESTED = mails(300);
/** Emails on a page of suggestions. */
const PAGE_SIZE = 100;
const MAX_NEW_LABELS = 10;
const MAX_LABELS = 100;

const FAILURES_PER_MINUTE = 300;
const DEAD_REQUESTS = 1_500;
/** Fewer than an address may have in flight. */
const DEAD_AT_ONCE = 50;

const row = openRow('R43');

describe('R43 what one request may cause', () => {
  it('300 accepted suggestions with 300 label names create ten labels, with as many calls', async () => {
    explainFailure(stack);
    const ada = await stack.signIn();
    stack.ml.behave(suggestLabels);
    let pageToken: string | null = null;
    for (let shown = 0; shown < SUGGESTED.length; shown += PAGE_SIZE) {
      const token: string = pageToken === null ? '' : `&pageToken=${encodeURIComponent(pageToken)}`;
      const page = await ada.ask(`/api/v1/suggestions?pageSize=${PAGE_SIZE}${token}`);
      pageToken = page.body.nextPageToken;
    }
    const emailIds = SUGGESTED.map(({ id }) => id);
    const accept = async () => {
      await stack.google.forgetCalls();
      const reply = await ada.ask('/api/v1/notifications/confirm', { json: { emailIds, action: 'accept' } });
      row.ran();
      row.responded(reply.tookMs);
      return { reply, calls: await stack.google.listCalls() };
    };

    const { reply, calls } = await accept();
    expect(reply).toMatchObject({
      status: 200,
      body: { execution: 'partial', summary: { total: 300, processed: MAX_NEW_LABELS, failed: 290 } },
    });
    const reasons = reply.body.results.flatMap(({ reason }: { reason?: string }) => reason ?? []);
    expect(new Set(reasons)).toEqual(new Set(['too_many_labels']));
    // A list and ten creations, where the history stands, and ten changes.
    expect(calls.length).toBeLessThanOrEqual(2 * MAX_NEW_LABELS + 5);

    // However often it is repeated, the mailbox gets no more than its share.
    for (let created = MAX_NEW_LABELS; created < MAX_LABELS; created += MAX_NEW_LABELS) await accept();
    const last = await accept();
    expect(last.reply.body.summary).toMatchObject({ processed: MAX_LABELS });
    const creations = last.calls.filter(({ method, path }) => method === 'POST' && path.endsWith('/labels'));
    expect(creations).toEqual([]);
  });

  it('a scan that is started while its user is erased is refused with 401', async () => {
    explainFailure(stack);
    const grace = await stack.signIn(GRACE);
    const { sent } = await stack.database.database.$transaction(
      async (erasure) => {
        await erasure.user.delete({ where: { id: grace.userId } });
        const started = grace.ask('/api/v1/scans', { json: {} });
        await eventually(async () => {
          const blocked = await stack.query(
            `SELECT FROM pg_stat_activity WHERE "datname" = current_database()
               AND "wait_event_type" = 'Lock' AND "query" LIKE '%"MailboxScan"%'`,
          );
          expect(blocked).toHaveLength(1);
        });
        return { sent: started };
      },
      { timeout: 30_000 },
    );
    row.ran();
    expect(await sent).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    expect(await stack.query('SELECT FROM "MailboxScan"')).toEqual([]);
  });

  it('1,500 requests with a revoked token cost one query, and are limited; live sessions go on', async () => {
    explainFailure(stack);
    const [live, revoked] = [await stack.signIn(), await stack.signIn()];
    expect((await revoked.ask('/auth/logout', { method: 'POST' })).status).toBe(204);
    const [, payload = ''] = revoked.token.split('.');
    const { sid } = JSON.parse(Buffer.from(payload, 'base64url').toString());
    let queries = 0;
    stack.api.links.postgres.onChunk(({ direction, bytes }) => {
      if (direction === 'up' && bytes.includes(sid)) queries += 1;
    });
    const replies = [await revoked.ask('/api/v1/me')];
    while (replies.length < DEAD_REQUESTS) {
      const length = Math.min(DEAD_AT_ONCE, DEAD_REQUESTS - replies.length);
      replies.push(...(await Promise.all(Array.from({ length }, () => revoked.ask('/api/v1/me')))));
    }
    stack.api.links.postgres.onChunk(undefined);
    row.ran(replies.length);
    for (const { tookMs } of replies) row.responded(tookMs);

    expect(queries).toBe(1);
    const refused = replies.filter(({ status }) => status === 429);
    // A minute may begin in between.
    expect(refused.length).toBeGreaterThanOrEqual(DEAD_REQUESTS - 2 * FAILURES_PER_MINUTE);
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(DEAD_REQUESTS - refused.length);
    for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect((await live.ask('/api/v1/me')).status).toBe(200);
  });

  let stack: FaultStack;
  beforeAll(async () => {
    stack = await startFaultStack({
      workers: 0,
      // Reading 300 emails takes a minute's units.
      apiEnv: {
        GMAIL_QUOTA_UNITS_PER_MINUTE: '1000000',
        // Ten failures for each sign-in.
        AUTH_RATE_LIMIT_PER_MINUTE: String(FAILURES_PER_MINUTE / 10),
      },
      mail: { [ADA]: SUGGESTED, [GRACE]: mails(1, 'other') },
    });
  });
});

/** A label of its own for every email. */
const suggestLabels = respondWithSuggestions(({ id }) => [
  { action: 'label', classification: `name-${id}`, confidence_score: 0.9 },
]);
