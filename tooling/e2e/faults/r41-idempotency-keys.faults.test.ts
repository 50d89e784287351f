import { beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from './harness/ask.ts';
import { byForm, eventually, openRow } from './harness/campaign.ts';
import { killAtPoint, recordExchanges } from './harness/exchange-points.ts';
import { ADA, explainFailure, type FaultStack, startFaultStack, type User } from './harness/fault-stack.ts';
import { mails } from './harness/google.ts';

const ACT = '/api/v1/inbox/actions';
const CONFIRM = '/api/v1/notifications/confirm';
const UNDO = '/api/v1/notifications/history/undo';
const TRACES = ['postgres', 'gmail'] as const;
/** How many moments of a request are tried; each is a kill and a restart. */
const KILLS = byForm(6, 30);
const EMAILS = 40 + 4 * KILLS;
/** Time within which a retry after a crash is carried out: the leases, and the recovery of what was left open. */
const CARRIED_OUT_WITHIN_MS = 90_000;

const row = openRow('R41');

describe('R41 a request with an Idempotency-Key', () => {
  it('whose API is killed before it responds is carried out once by its retry', async () => {
    explainFailure(stack);
    const { api } = stack;
    const confirm = (emailIds: string[], key: string) => send(CONFIRM, { emailIds, action: 'accept' }, key);
    await confirm(takeEmails(2), 'warm-up');
    const finish = recordExchanges(api, TRACES);
    await confirm(takeEmails(2), 'undisturbed');
    const changes = finish().filter(({ isLasting }) => isLasting).length;

    const requests = Array.from({ length: KILLS }, (_, index) => ({
      key: `killed-${index}`,
      emailIds: takeEmails(2),
      afterChanges: 1 + Math.floor((index * changes) / KILLS),
    }));
    let unanswered = 0;
    for (const { key, emailIds, afterChanges } of requests) {
      await eventually(async () => expect((await ada.ask('/api/v1/notifications/history')).status).toBe(200));
      const killed = killAtPoint(api, TRACES, { afterChanges });
      if ((await confirm(emailIds, key)).status !== 200) unanswered += 1;
      await killed;
      await api.start();
      row.ran();
    }
    expect(unanswered).toBeGreaterThan(0);

    await Promise.all(
      requests.map(async ({ key, emailIds }) => {
        const response = await untilCarriedOut(() => confirm(emailIds, key));
        expect(response.body).toMatchObject({ execution: 'full', processed: 2 });
        expect(response.body.data.map(({ emailId }: { emailId: string }) => emailId)).toEqual(emailIds);
        expect((await confirm(emailIds, key)).text).toBe(response.text);
      }),
    );
    await stack.waitUntilFinished();
    const emailIds = requests.flatMap((request) => request.emailIds);
    const counts = await countRecords(emailIds);
    row.lost(counts.filter((count) => count === 0).length);
    row.doubled(counts.filter((count) => count > 1).length);
    expect(counts).toEqual(emailIds.map(() => 1));
    expect(await countConfirmed(emailIds)).toBe(emailIds.length);
  });

  it('an undo whose API is killed responds as it would have', async () => {
    explainFailure(stack);
    const { api } = stack;
    for (const afterChanges of byForm([5], [2, 3, 4, 5, 6, 7, 8, 9])) {
      const emailIds = takeEmails(2);
      await untilCarriedOut(() => ada.ask(ACT, { json: { emailIds, action: 'archive' } }));
      await untilCarriedOut(() => ada.ask(ACT, { json: { emailIds, action: 'delete' } }));
      const records = await stack.query<{ id: string }>(
        'SELECT "id" FROM "ActionHistory" WHERE "emailId" = ANY($1)',
        [emailIds],
      );
      const json = { ids: records.map(({ id }) => id) };
      const killed = killAtPoint(api, TRACES, { afterChanges });
      await send(UNDO, json, `undo-${afterChanges}`);
      await killed;
      await api.start();
      row.ran();
      const response = await untilCarriedOut(() => send(UNDO, json, `undo-${afterChanges}`));
      expect(response.body).toMatchObject({ execution: 'full', summary: { total: 4, processed: 4 } });
      for (const id of emailIds) expect(await stack.google.labelsOf(ADA, id)).toEqual(['INBOX', 'UNREAD']);
    }
  });

  let taken = 0;
  /** Emails that no scenario before has touched. */
  const takeEmails = (count: number): string[] => {
    taken += count;
    return Array.from({ length: count }, (_, index) => `mail-${taken - count + index + 1}`);
  };

  const send = (path: string, json: object, key: string): Promise<Reply> =>
    ada.ask(path, { json, headers: { 'idempotency-key': key } });

  /** Tries again for as long as the request is not carried out, as clients do. */
  const untilCarriedOut = (request: () => Promise<Reply>): Promise<Reply> =>
    eventually(async () => {
      const response = await request();
      expect(response.status).toBe(200);
      return response;
    }, CARRIED_OUT_WITHIN_MS);

  /** How many records each email has, in the order given. */
  const countRecords = async (emailIds: string[]): Promise<number[]> => {
    const rows = await stack.query<{ emailId: string; count: number }>(
      'SELECT "emailId", count(*)::int FROM "ActionHistory" WHERE "emailId" = ANY($1) GROUP BY 1',
      [emailIds],
    );
    const counts = new Map(rows.map(({ emailId, count }) => [emailId, count]));
    return emailIds.map((emailId) => counts.get(emailId) ?? 0);
  };

  /** How many of these emails the published events name, added up. */
  const countConfirmed = async (emailIds: string[]): Promise<number> => {
    const [row] = await stack.query<{ count: number }>(
      `SELECT count(*)::int FROM "OutboxEvent", jsonb_array_elements_text("payload"->'emailIds') AS email(id)
       WHERE "type" = 'domain.suggestions.confirmed' AND email.id = ANY($1)`,
      [emailIds],
    );
    return row?.count ?? 0;
  };

  let stack: FaultStack;
  let ada: User;
  beforeAll(async () => {
    stack = await startFaultStack({ hasWebhook: false, mail: { [ADA]: mails(EMAILS) } });
    ada = await stack.signIn();
  });
});
