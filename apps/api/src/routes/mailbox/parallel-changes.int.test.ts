import type { ActionHistoryRecord, Suggestion, UndoResult } from '@mailsweep/contracts';
import { respondWithSuggestions } from '@mailsweep/ml-client/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, createClient, startApi } from '../../testing/api-harness.ts';

const INBOX_REMOVED = { added: [], removed: ['INBOX'] };
const NOTHING = { added: [], removed: [] };

describe('R40: the same request several times at once, over two replicas', () => {
  test.each<[string, Suggestion['action'] | undefined]>([
    ['no suggestion is stored', undefined],
    ['archive is suggested', 'archive'],
  ])('accept moves and counts each email once where %s', async (_name, action) => {
    const emailIds = takeEmails(10);
    if (action !== undefined) await suggest(action);
    const responses = await inParallel(6, CONFIRM, { emailIds, action: 'accept' });

    expect(responses.map(({ body }) => body.execution)).toEqual(Array(6).fill('full'));
    const records = await listRecords(emailIds);
    expect(records).toHaveLength(60);
    expect(listClaims(records).toSorted()).toEqual(emailIds.toSorted());
    expect(countStatuses(records)).toEqual({ ok: 10, unchanged: 50 });
    expect(
      responses
        .flatMap(({ body }) => body.data)
        .map(toStatus)
        .toSorted(),
    ).toEqual(records.map(toStatus).toSorted());
    expect(await countConfirmed(emailIds)).toBe(10);
  });

  test('reject counts each email once', async () => {
    const emailIds = takeEmails(3);
    await inParallel(6, CONFIRM, { emailIds, action: 'reject' });

    expect(countStatuses(await listRecords(emailIds))).toEqual({ skipped: 3, unchanged: 15 });
    expect(await countConfirmed(emailIds)).toBe(3);
  });

  test('accepting to be notified counts each email once', async () => {
    const emailIds = takeEmails(3);
    await suggest('notify');
    await inParallel(6, CONFIRM, { emailIds, action: 'accept' });

    expect(countStatuses(await listRecords(emailIds))).toEqual({ skipped: 3, unchanged: 15 });
    expect(await countConfirmed(emailIds)).toBe(3);
  });

  test.each([1, 12])('archive of %i emails is claimed by one record for each', async (count) => {
    const emailIds = takeEmails(count);
    const responses = await inParallel(8, ACT, { emailIds, action: 'archive' });

    expect(responses.map(({ body }) => body.execution)).toEqual(Array(8).fill('full'));
    const records = await listRecords(emailIds);
    expect(listClaims(records).toSorted()).toEqual(emailIds.toSorted());
    expect(records.filter(({ details }) => details.gmailResponse.status === 'unchanged')).toHaveLength(
      count * 7,
    );
  });

  test('undo counts each record once', async () => {
    const emailIds = takeEmails(96);
    await ada.post(ACT, { emailIds, action: 'archive' }).expect(200);
    const ids = (await listRecords(emailIds)).map(({ id }) => id);
    const responses = await inParallel(4, UNDO, { ids });

    const results: UndoResult[] = responses.flatMap(({ body }) => body.results);
    expect(results.filter(({ status }) => status === 'ok')).toHaveLength(96);
    const refused = results.flatMap((result) => (result.status === 'error' ? [result.reason] : []));
    expect(refused).toEqual(Array(3 * 96).fill('already_undone'));
    expect(await labelsOf(emailIds)).toEqual(emailIds.map(() => ['INBOX', 'UNREAD']));
  });
});

describe('one request after another', () => {
  test('finds nothing left to change, and says so', async () => {
    const emailIds = takeEmails(2);
    await ada.get('/api/v1/emails?pageSize=100').expect(200);
    for (const client of [ada, there]) {
      await client.post(ACT, { emailIds, action: 'archive' }).expect(200);
    }
    const [second, first] = [
      (await listRecords(emailIds)).slice(0, 2),
      (await listRecords(emailIds)).slice(2),
    ];
    expect(first.map(({ details }) => details.labelChange)).toEqual([INBOX_REMOVED, INBOX_REMOVED]);
    expect(second.map(({ details }) => details)).toMatchObject([
      { gmailResponse: { status: 'unchanged' }, labelChange: NOTHING },
      { gmailResponse: { status: 'unchanged' }, labelChange: NOTHING },
    ]);
  });

  test('a response counts again once the one before was undone, or the email is suggested again', async () => {
    const emailIds = takeEmails(1);
    const reject = () => ada.post(CONFIRM, { emailIds, action: 'reject' }).expect(200);
    const { body } = await reject();
    await ada.post(UNDO, { ids: [body.data[0].id] }).expect(200);
    await reject();
    expect(await countConfirmed(emailIds)).toBe(2);

    await suggest('archive');
    await reject();
    await reject();
    expect(await countConfirmed(emailIds)).toBe(3);
  });

  test('an accept that moves the email again counts again', async () => {
    const [emailId = ''] = takeEmails(1);
    const accept = () => ada.post(CONFIRM, { emailIds: [emailId], action: 'accept' }).expect(200);
    await accept();
    await api.google.changeLabels(emailId, { added: ['INBOX'] });
    await accept();

    expect(countStatuses(await listRecords([emailId]))).toEqual({ ok: 2 });
    expect(await countConfirmed([emailId])).toBe(2);
  });

  test('the first accept counts although the mailbox needs no change', async () => {
    const [emailId = ''] = takeEmails(1);
    await api.google.changeLabels(emailId, { removed: ['INBOX'] });
    await ada.get('/api/v1/emails?pageSize=100').expect(200);
    await ada.post(CONFIRM, { emailIds: [emailId], action: 'accept' }).expect(200);

    expect(countStatuses(await listRecords([emailId]))).toEqual({ unchanged: 1 });
    expect(await countConfirmed([emailId])).toBe(1);
  });
});

test('R40: undo racing delete leaves nothing in the trash that could not be undone', async () => {
  for (let round = 0; round < 6; round += 1) {
    const emailIds = takeEmails(3);
    await ada.post(ACT, { emailIds, action: 'delete' }).expect(200);
    const ids = (await listRecords(emailIds)).map(({ id }) => id);
    const [one, other] = round % 2 ? [ada, there] : [there, ada];
    await Promise.all([
      one.post(UNDO, { ids }).expect(200),
      other.post(ACT, { emailIds, action: 'delete' }).expect(200),
    ]);

    const open = (await listRecords(emailIds)).filter(({ undoneAt }) => undoneAt === null);
    const { body } = await ada.post(UNDO, { ids: open.map(({ id }) => id) }).expect(200);
    expect(body.execution).toBe('full');
    expect(await labelsOf(emailIds)).toEqual(emailIds.map(() => ['INBOX', 'UNREAD']));
  }
});

test('R40: a request that waits for another goes on when that one’s process died', async () => {
  const emailIds = takeEmails(1);
  await api.testDatabase.query(
    `INSERT INTO "MailboxLease" ("userId", "holderId", "leasedUntil")
     VALUES ($1, gen_random_uuid(), now() + interval '1 s')`,
    [ada.userId],
  );
  await ada.post(ACT, { emailIds, action: 'archive' }).expect(200);
  expect(await api.testDatabase.query('SELECT FROM "MailboxLease"')).toEqual([]);
});

const ACT = '/api/v1/inbox/actions';
const CONFIRM = '/api/v1/notifications/confirm';
const UNDO = '/api/v1/notifications/history/undo';
const EMAILS = 200;

let taken = 0;
/** Emails that no test before has touched. */
const takeEmails = (count: number): string[] => {
  taken += count;
  return Array.from({ length: count }, (_, index) => `mail-${taken - count + index + 1}`);
};

/** Sends a request several times at once, to each replica in turn. */
const inParallel = (times: number, path: string, body: object) =>
  Promise.all(
    Array.from({ length: times }, (_, index) => (index % 2 ? there : ada).post(path, body).expect(200)),
  );

/** Has every email of the inbox suggested for an action. */
const suggest = async (action: Suggestion['action']) => {
  api.ml.behave(respondWithSuggestions([{ action, classification: 'bulk', confidence_score: 1 }]));
  for (let path = '/api/v1/suggestions?pageSize=100'; path; ) {
    const { body } = await ada.get(path).expect(200);
    path = body.nextPageToken ? `/api/v1/suggestions?pageSize=100&pageToken=${body.nextPageToken}` : '';
  }
};

/** The records of these emails, newest first. */
const listRecords = async (emailIds: string[]): Promise<ActionHistoryRecord[]> => {
  const records: ActionHistoryRecord[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await ada.get(`/api/v1/notifications/history?perPage=100&page=${page}`).expect(200);
    records.push(...body.data);
    if (page * 100 >= body.total) return records.filter(({ emailId }) => emailIds.includes(emailId));
  }
};

/** The emails of records that claim to have taken one out of the inbox. */
const listClaims = (records: ActionHistoryRecord[]): string[] =>
  records
    .filter(({ details }) => details.labelChange.removed.includes('INBOX'))
    .map(({ emailId }) => emailId);

const toStatus = (record: ActionHistoryRecord) => record.details.gmailResponse.status;

const countStatuses = (records: ActionHistoryRecord[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(records, toStatus)].map(([status, { length }]) => [status, length] as const),
  );

/** How many of these emails the events say were confirmed, added up. */
const countConfirmed = async (emailIds: string[]): Promise<number> => {
  const events = await api.listEvents();
  let total = 0;
  for (const { type, payload } of events) {
    if (type !== 'domain.suggestions.confirmed') continue;
    const own = (payload.emailIds as string[]).filter((id) => emailIds.includes(id)).length;
    if (own === 0) continue;
    expect(payload.summary).toMatchObject({ totalConfirmed: own });
    total += own;
  }
  return total;
};

const labelsOf = (emailIds: string[]) => Promise.all(emailIds.map((id) => api.google.labelsOf(id)));

let api: ApiHarness;
let ada: ApiClient;
let there: ReturnType<typeof createClient>;
beforeAll(async () => {
  const mail = Array.from({ length: EMAILS }, (_, index) => ({
    id: `mail-${index + 1}`,
    labelIds: ['INBOX', 'UNREAD'],
  }));
  api = await startApi({ mail: { 'ada@example.com': mail } });
  ada = await api.signIn();
  there = createClient((await api.startReplica()).url, ada.token);
});
afterAll(() => api.close());
