import { beforeAll, describe, expect, it } from 'vitest';
import type { Question } from './harness/ask.ts';
import { byForm, eventually, machineSlackMs, openRow } from './harness/campaign.ts';
import {
  ADA,
  explainFailure,
  type FaultStack,
  type Member,
  startFaultStack,
  type User,
} from './harness/fault-stack.ts';
import { mails } from './harness/google.ts';

const ACT = '/api/v1/inbox/actions';
const CONFIRM = '/api/v1/notifications/confirm';
const UNDO = '/api/v1/notifications/history/undo';
/** Longest wait of a request for the changes before it, and what else it does, in milliseconds. */
const BUSY_WITHIN_MS = 17_000;
/** Time after which the mailbox of a process that died is free again, and what follows, in milliseconds. */
const FREE_WITHIN_MS = 8_000;
const RACES = 50;
const EMAILS = 20 + 3 * RACES;
const REFRESHES = 20;

interface StoredRecord {
  id: string;
  emailId: string;
  status: string;
  removed: string[];
  undoneAt: Date | null;
}

const rows = { r04: openRow('R04'), r07: openRow('R07'), r40: openRow('R40') };

describe('one user’s requests at the same time, over two API processes', () => {
  it('R04 a session that one process ended is over at the other', async () => {
    explainFailure(stack);
    const [first, second] = stack.apis as [Member, Member];
    const phone = await stack.signIn();
    // Whatever a process remembers of a good session, it has remembered now.
    const me = (api: Member) => phone.ask('/api/v1/me', { of: api });
    for (const api of [first, second]) expect((await me(api)).status).toBe(200);
    expect((await phone.ask('/auth/logout', { method: 'POST', of: first })).status).toBe(204);
    for (const api of [first, second]) {
      const { status, tookMs } = await me(api);
      expect(status).toBe(401);
      rows.r04.ran();
      rows.r04.responded(tookMs);
    }
  });

  it('R07 an expired access token is renewed once for both', async () => {
    explainFailure(stack);
    await stack.query(`UPDATE "ProviderConnection" SET "accessTokenExpiresAt" = now() - interval '1 s'`);
    // So slow that every request finds the token expired, at both processes.
    const slow = { kind: 'delay', path: 'token', method: 'POST', times: 1, delayMs: 2_000 } as const;
    await stack.google.fail(slow);
    await stack.google.forgetCalls();
    const responses = await Promise.all(
      Array.from({ length: REFRESHES }, (_, index) =>
        ada.ask('/api/v1/emails', { of: stack.apis[index % 2] }),
      ),
    );
    rows.r07.ran(REFRESHES);
    expect(responses.map(({ status }) => status)).toEqual(Array(REFRESHES).fill(200));
    const refreshes = (await stack.google.listCalls()).filter(({ path }) => path.includes('token'));
    expect(refreshes).toHaveLength(1);
  });

  it('R40 six times the same accept of ten emails: each email is moved once, claimed once and published once', async () => {
    explainFailure(stack);
    const emailIds = takeEmails(10);
    const responses = await inParallel(6, CONFIRM, { emailIds, action: 'accept' });
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(200));
    rows.r40.ran();

    const records = await listRecords(emailIds);
    expect(records).toHaveLength(60);
    rows.r40.doubled(listClaims(records).length - 10);
    expect(listClaims(records).toSorted()).toEqual(emailIds.toSorted());
    expect(records.filter(({ status }) => status === 'unchanged')).toHaveLength(50);
    await stack.waitUntilFinished();
    expect(await countConfirmed()).toBe(10);
  });

  it.runIf(byForm(false, true))(
    'R40 an undo and a delete: nothing stays in the trash that could not be undone',
    async () => {
      explainFailure(stack);
      for (let race = 0; race < RACES; race += 1) {
        const emailIds = takeEmails(3);
        await ada.ask(ACT, { json: { emailIds, action: 'delete' } });
        const ids = (await listRecords(emailIds)).map(({ id }) => id);
        await Promise.all([
          ada.ask(UNDO, { json: { ids }, of: stack.apis[race % 2] }),
          ada.ask(ACT, { json: { emailIds, action: 'delete' }, of: stack.apis[1 - (race % 2)] }),
        ]);
        rows.r40.ran();
        const open = (await listRecords(emailIds)).filter(({ undoneAt }) => undoneAt === null);
        const response = await ada.ask(UNDO, { json: { ids: open.map(({ id }) => id) } });
        expect(response.body.execution).toBe('full');
        for (const id of emailIds) {
          const labels = await stack.google.labelsOf(ADA, id);
          rows.r40.lost(labels.includes('TRASH') ? 1 : 0);
          expect({ id, labels }).toEqual({ id, labels: ['INBOX', 'UNREAD'] });
        }
      }
    },
  );

  it('R40 a change behind one that hangs is refused in time, and nothing is done', async () => {
    explainFailure(stack);
    const [emailId = '', blocked = ''] = takeEmails(2);
    const [first, second] = stack.apis as [Member, Member];
    first.links.gmail.freeze();
    const hanging = ada.ask(ACT, { json: { emailIds: [blocked], action: 'archive' }, of: first });
    await eventually(async () => expect(await stack.query('SELECT FROM "MailboxLease"')).toHaveLength(1));
    const response = await ada.ask(ACT, { json: { emailIds: [emailId], action: 'archive' }, of: second });
    first.links.gmail.heal();
    await hanging;
    rows.r40.ran();
    rows.r40.responded(response.tookMs);

    expect(response).toMatchObject({ status: 503, body: { code: 'mailbox_busy' } });
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    expect(response.tookMs).toBeLessThan(BUSY_WITHIN_MS + machineSlackMs());
    expect(await listRecords([emailId])).toEqual([]);
    expect(await stack.google.labelsOf(ADA, emailId)).toContain('INBOX');
  });

  it('R40 a change behind one whose process is killed goes on once its lease has run out', async () => {
    explainFailure(stack);
    const [emailId = '', blocked = ''] = takeEmails(2);
    const [first, second] = stack.apis as [Member, Member];
    second.links.gmail.freeze();
    const hanging = ada.ask(ACT, { json: { emailIds: [blocked], action: 'archive' }, of: second });
    await eventually(async () => expect(await stack.query('SELECT FROM "MailboxLease"')).toHaveLength(1));
    await second.kill();
    const response = await ada.ask(ACT, { json: { emailIds: [emailId], action: 'archive' }, of: first });
    await hanging;
    second.links.gmail.heal();
    await second.start();
    rows.r40.ran();
    rows.r40.responded(response.tookMs);

    expect(response).toMatchObject({ status: 200, body: { execution: 'full' } });
    expect(response.tookMs).toBeLessThan(FREE_WITHIN_MS + machineSlackMs());
  });

  let taken = 0;
  /** Emails that no scenario before has touched. */
  const takeEmails = (count: number): string[] => {
    taken += count;
    return Array.from({ length: count }, (_, index) => `mail-${taken - count + index + 1}`);
  };

  /** Sends a request several times at once, to each API in turn. */
  const inParallel = (times: number, path: string, json: object) =>
    Promise.all(
      Array.from({ length: times }, (_, index) => askUntilDone(path, { json, of: stack.apis[index % 2] })),
    );

  /** Asks again where the ones before took too long on a busy machine, as clients do. */
  const askUntilDone = async (path: string, question: Question & { of: Member | undefined }) => {
    let response = await ada.ask(path, question);
    while (response.body?.code === 'mailbox_busy') response = await ada.ask(path, question);
    return response;
  };

  const listRecords = (emailIds: string[]) =>
    stack.query<StoredRecord>(
      `SELECT "id", "emailId", "details"->'gmailResponse'->>'status' AS "status",
        "details"->'labelChange'->'removed' AS "removed", "undoneAt"
       FROM "ActionHistory" WHERE "userId" = $1 AND "emailId" = ANY($2)`,
      [ada.userId, emailIds],
    );

  const listClaims = (records: StoredRecord[]): string[] =>
    records.filter(({ removed }) => removed.includes('INBOX')).map(({ emailId }) => emailId);

  const countConfirmed = async (): Promise<number> => {
    const summary = await ada.ask('/api/v1/notifications/summary');
    return summary.body.totalConfirmed;
  };

  let stack: FaultStack;
  let ada: User;
  beforeAll(async () => {
    stack = await startFaultStack({
      apis: 2,
      hasWebhook: false,
      mail: { [ADA]: mails(EMAILS) },
      // All processes count a user's units together, and the scenarios take more than those of a minute.
      apiEnv: { GMAIL_QUOTA_UNITS_PER_MINUTE: '120000' },
    });
    ada = await stack.signIn();
  });
});
