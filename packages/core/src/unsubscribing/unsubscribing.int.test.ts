import { createSecretKey } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import type { UnsubscribeOffer } from '@mailsweep/mail/mailbox';
import { createMessageStores } from '@mailsweep/mail/message-cache';
import { createTokenCipher } from '@mailsweep/mail/provider-connection';
import { createRecordingLogger } from '@mailsweep/service-kit/testing';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { claimDueWork, giveUpParkedWork } from '../due-work/due-work.repository.ts';
import { createRunStep } from '../due-work/run-step.ts';
import { createSenders } from '../emails/mail-overview.repository.ts';
import { createRunUnsubscribe, type UnsubscribeCallOutcome } from './run-unsubscribe.ts';
import { listUnsubscribeHosts } from './unsubscribe.repository.ts';
import { createUnsubscribing } from './unsubscribe-sender.ts';

const SECRET_URL = 'https://mail.news.example/off/secret-token?u=ada';
const ONE_CLICK: UnsubscribeOffer = { oneClick: SECRET_URL, link: SECRET_URL, isSigned: true };
const OTHER_URL = 'https://other.news.example/off';
const OTHER: UnsubscribeOffer = { oneClick: OTHER_URL, link: OTHER_URL, isSigned: true };
const BY_HAND: UnsubscribeOffer = { mailto: 'mailto:off@news.example' };
const CLIENT = { address: null, browser: null };
const DAY_MS = 86_400_000;

describe('unsubscribing from a sender', () => {
  test('is requested once, called once, and accepted', async () => {
    await keep([{ id: 'one', unsubscribe: ONE_CLICK }]);
    expect(await show()).toEqual({
      method: 'one_click',
      host: 'mail.news.example',
      link: SECRET_URL,
      mailto: null,
      state: null,
      error: null,
      status: null,
      at: null,
    });
    const responses = await Promise.all([ask(), ask(), ask()]);
    expect(responses.map(({ state }) => state)).toEqual(['requested', 'requested', 'requested']);
    expect(await show()).toMatchObject({ state: 'requested' });

    await run({ kind: 'response', status: 202 });
    expect(called).toEqual([SECRET_URL]);
    expect(await show()).toMatchObject({ state: 'accepted', status: 202, error: null });
    expect(await ask()).toMatchObject({ state: 'accepted' });
    expect(await claimDueWork(db.database, 'unsubscribe')).toBeNull();
    const audit = await db.database.auditEntry.findMany({ where: { userId } });
    expect(audit).toMatchObject([
      { event: 'unsubscribe_requested', details: { senderId, method: 'one_click' } },
    ]);
  });

  test('by hand is never called, and shows what the user may do', async () => {
    await keep([{ id: 'one', unsubscribe: BY_HAND }]);
    expect(await ask()).toMatchObject({
      method: 'manual',
      state: 'manual',
      mailto: BY_HAND.mailto,
      host: null,
    });
    expect(await claimDueWork(db.database, 'unsubscribe')).toBeNull();
  });

  test('is refused where no email offers it', async () => {
    await keep([{ id: 'one' }]);
    await expect(ask()).rejects.toMatchObject({ code: 'unsubscribe_not_offered' });
    expect(await unsubscribing.find(userId, senderId)).toMatchObject({
      method: null,
      state: null,
    });
    expect(await show()).toBeNull();
  });

  test('takes the newest email that offers it, out of sight as well as out of another mailbox left out', async () => {
    await keep([
      { id: 'old', unsubscribe: BY_HAND, day: 1 },
      { id: 'newer', unsubscribe: ONE_CLICK, day: 2 },
      { id: 'receipt', day: 3 },
      { id: 'spam', unsubscribe: BY_HAND, day: 4, labels: ['SPAM'] },
    ]);
    expect(await show()).toMatchObject({ method: 'one_click' });
    const stranger = await createUser();
    expect(await unsubscribing.find(stranger, senderId)).toMatchObject({
      method: null,
      state: null,
    });
    await expect(unsubscribing.request(stranger, senderId, CLIENT)).rejects.toMatchObject({
      code: 'unsubscribe_not_offered',
    });
  });

  test('is never offered by an email without a signature where another has one', async () => {
    await keep([
      { id: 'old', unsubscribe: ONE_CLICK, day: 1 },
      ...Array.from({ length: 12 }, (_, index) => ({
        id: `forged${index}`,
        unsubscribe: {
          oneClick: 'https://evil.example/u',
          link: 'https://evil.example/login',
          isSigned: false,
        },
        day: index + 2,
      })),
    ]);
    expect(await show()).toMatchObject({ host: 'mail.news.example', link: SECRET_URL });
    await ask();
    await run({ kind: 'response', status: 200 });
    expect(called).toEqual([SECRET_URL]);
  });

  test('goes to the host that the user was shown, of several', async () => {
    await keep([
      { id: 'old', unsubscribe: ONE_CLICK, day: 1 },
      { id: 'newer', unsubscribe: OTHER, day: 2 },
    ]);
    const hosts = ['mail.news.example', 'other.news.example'];
    expect(await show()).toMatchObject({ host: hosts[0], hosts });
    for (const host of ['evil.example', null]) {
      await expect(unsubscribing.request(userId, senderId, CLIENT, host)).rejects.toMatchObject({
        code: 'unsubscribe_changed',
      });
    }
    await unsubscribing.request(userId, senderId, CLIENT, 'other.news.example');
    await run({ kind: 'response', status: 200 });
    expect(called).toEqual([OTHER_URL]);
  });

  test('goes nowhere where a host was shown and none is offered any more', async () => {
    await keep([{ id: 'one', unsubscribe: BY_HAND }]);
    await expect(unsubscribing.request(userId, senderId, CLIENT, 'mail.news.example')).rejects.toMatchObject({
      code: 'unsubscribe_changed',
    });
    expect(await unsubscribing.request(userId, senderId, CLIENT, null)).toMatchObject({ state: 'manual' });
  });

  test.each<[UnsubscribeCallOutcome, string, number | null]>([
    [{ kind: 'response', status: 404 }, 'rejected', 404],
    [{ kind: 'response', status: 302 }, 'redirected', 302],
    [{ kind: 'address_refused' }, 'address_refused', null],
    [{ kind: 'unreachable' }, 'unreachable', null],
  ])('is refused at once by %j', async (outcome, error, status) => {
    await keep([{ id: 'one', unsubscribe: ONE_CLICK }]);
    await ask();
    await run(outcome);
    expect(await show()).toMatchObject({ state: 'refused', error, status });
    // The user may try again.
    expect(await ask()).toMatchObject({ state: 'requested', error: null, status: null });
  });

  test.each<[UnsubscribeCallOutcome, string, number | null]>([
    [{ kind: 'response', status: 503 }, 'server_error', 503],
    [{ kind: 'response', status: 429 }, 'rejected', 429],
    [{ kind: 'no_response' }, 'unreachable', null],
  ])('is tried four times before %j refuses it', async (outcome, error, status) => {
    await keep([{ id: 'one', unsubscribe: ONE_CLICK }]);
    await ask();
    for (const minutes of [1, 10, 60]) {
      await run(outcome);
      expect(await show()).toMatchObject({ state: 'requested', status });
      expect(await claimDueWork(db.database, 'unsubscribe')).toBeNull();
      expect(Math.abs((await minutesUntilDue()) / minutes - 1)).toBeLessThan(0.25);
      await letTimePass();
    }
    await run(outcome);
    expect(await show()).toMatchObject({ state: 'refused', error, status });
    expect(called).toHaveLength(4);
  });

  test('whose process dies is called again by another one, not before its lease is over', async () => {
    await keep([{ id: 'one', unsubscribe: ONE_CLICK }]);
    await ask();
    const dead = await claimDueWork(db.database, 'unsubscribe');
    expect(dead).toMatchObject({ userId });
    expect(await claimDueWork(db.database, 'unsubscribe')).toBeNull();
    await letTimePass();
    await run({ kind: 'response', status: 200 });
    expect(await show()).toMatchObject({ state: 'accepted' });
  });

  test('that an operator gives up is refused without a call, and its address is removed', async () => {
    await keep([{ id: 'one', unsubscribe: ONE_CLICK }]);
    await ask();
    await db.query('UPDATE "Unsubscribe" SET "crashes" = 5');
    const { id } = await db.database.unsubscribe.findFirstOrThrow({ where: { userId } });
    expect(await giveUpParkedWork(db.database, 'unsubscribe', id)).toBe(true);
    await run({ kind: 'response', status: 200 });
    expect(called).toEqual([]);
    expect(await show()).toMatchObject({ state: 'refused', error: 'unreachable' });
    expect(await readRequest()).toEqual({ from: SENDER });
  });

  test('an outcome that comes too late changes nothing of a new request', async () => {
    await keep([{ id: 'one', unsubscribe: ONE_CLICK }]);
    await ask();
    const late = await claim();
    await letTimePass();
    await run({ kind: 'response', status: 404 });
    await ask();
    await claim();
    await runClaimed(late, { kind: 'response', status: 200 });
    expect(await show()).toMatchObject({ state: 'requested' });
  });

  test('shows a sender that still sends ten days later, and asks again', async () => {
    await keep([{ id: 'one', unsubscribe: ONE_CLICK }]);
    await ask();
    await run({ kind: 'response', status: 200 });
    const acceptedAt = new Date((await show())?.at ?? 0).getTime();
    await keep([{ id: 'grace', receivedAt: new Date(acceptedAt + 9 * DAY_MS) }]);
    expect(await show()).toMatchObject({ state: 'accepted' });
    const late = new Date(acceptedAt + 11 * DAY_MS);
    await keep([
      { id: 'late', receivedAt: late },
      { id: 'later', receivedAt: new Date(late.getTime() + DAY_MS) },
    ]);
    expect(await show()).toMatchObject({ state: 'still_sending', at: late.toISOString() });
    expect(await listStillSending()).toMatchObject({ total: 1, data: [{ id: senderId, from: SENDER }] });
    // What a rule has put into the trash was sent all the same.
    await keep([{ id: 'late', receivedAt: late, labels: ['TRASH'] }]);
    expect(await show()).toMatchObject({ state: 'still_sending', at: late.toISOString() });
    expect(await ask()).toMatchObject({ state: 'requested' });
    expect(await listStillSending()).toMatchObject({ total: 0 });
  });

  test('counts who stopped, who still sends, and who has days left', async () => {
    await keep([{ id: 'one', unsubscribe: ONE_CLICK }]);
    expect(await listStillSending()).not.toHaveProperty('unsubscribed');
    await ask();
    expect(await listStillSending()).not.toHaveProperty('unsubscribed');
    await run({ kind: 'response', status: 200 });
    const counts = { stopped: 0, stillSending: 0, waiting: 0 };
    expect(await listStillSending()).toMatchObject({ unsubscribed: { ...counts, waiting: 1 } });
    await db.query(`UPDATE "Unsubscribe" SET "reachedAt" = now() - interval '11 days'`);
    expect(await listStillSending()).toMatchObject({ total: 0, unsubscribed: { ...counts, stopped: 1 } });
    await keep([{ id: 'late', receivedAt: new Date(), labels: ['TRASH'] }]);
    expect(await listStillSending()).toMatchObject({ unsubscribed: { ...counts, stillSending: 1 } });
    const other = await overview.list(uuidv7(), { page: 1, perPage: 20, sort: 'mails' });
    expect(other).not.toHaveProperty('unsubscribed');
  });

  test('leaves nothing of the address in the log, and its host alone in the database once it is done', async () => {
    await keep([{ id: 'one', unsubscribe: ONE_CLICK }]);
    await ask();
    await run({ kind: 'response', status: 503 });
    await letTimePass();
    await run({ kind: 'response', status: 200 });
    expect(lines.join('')).toContain('a request to unsubscribe was accepted');
    expect(lines.join('')).not.toMatch(/secret-token|news\.example/);
    expect(await readRequest()).toEqual({ from: SENDER, host: 'mail.news.example' });
    expect(await listUnsubscribeHosts(db.database, cipher, userId)).toEqual(['mail.news.example']);
  });
});

const SENDER = 'News <news@news.example>';
const cipher = createTokenCipher({ current: Buffer.alloc(32, 1) });
const senderKey = createSecretKey(Buffer.alloc(32, 2));

interface Kept {
  id: string;
  unsubscribe?: UnsubscribeOffer;
  day?: number;
  receivedAt?: Date;
  labels?: string[];
}

const keep = async (messages: Kept[]): Promise<void> => {
  const store = createMessageStores({ database: db.database, cipher, senderKey })(userId);
  await store.begin(1n);
  await store.save(
    messages.map(({ id, unsubscribe, day = 1, receivedAt, labels = ['INBOX'] }) => ({
      completeUpTo: 1n,
      message: {
        id,
        historyId: 1n,
        labels,
        facts: {
          threadId: id,
          from: SENDER,
          subject: '',
          snippet: '',
          receivedAt: receivedAt ?? new Date(Date.UTC(2026, 0, day)),
          sizeBytes: 1,
          attachmentCount: 0,
          attachmentBytes: 0,
          isInvitation: false,
          isSenderUnclear: false,
          failsDmarc: false,
          unsubscribe,
        },
      },
    })),
  );
  const { data } = await overview.list(userId, { page: 1, perPage: 20, sort: 'mails' });
  senderId = data[0]?.id ?? '';
};

const listStillSending = () =>
  overview.list(userId, { page: 1, perPage: 20, sort: 'mails', unsubscribe: 'still_sending' });

const show = async () =>
  (await overview.list(userId, { page: 1, perPage: 20, sort: 'mails' })).data[0]?.unsubscribe;

const ask = () => unsubscribing.request(userId, senderId, CLIENT);

const claim = async () => {
  const claimed = await claimDueWork(db.database, 'unsubscribe');
  if (claimed === null) throw new Error('no request is due');
  return claimed;
};

const runClaimed = async (claimed: Awaited<ReturnType<typeof claim>>, outcome: UnsubscribeCallOutcome) => {
  const { logger, lines: logged } = createRecordingLogger();
  const call = async (url: string) => {
    called.push(url);
    return outcome;
  };
  const { database } = db;
  await createRunStep(
    { database, logger },
    'unsubscribe',
    createRunUnsubscribe({ database, cipher, call, logger }),
  )(claimed);
  lines.push(...logged.map((line) => JSON.stringify(line)));
};

/** Makes the attempt that is due. */
const run = async (outcome: UnsubscribeCallOutcome) => runClaimed(await claim(), outcome);

const readRequest = async (): Promise<unknown> => {
  const { encryptedRequest } = await db.database.unsubscribe.findFirstOrThrow({ where: { userId } });
  return JSON.parse(cipher.decrypt(encryptedRequest, `${userId}\nunsubscribe`));
};

/** As if what is waited for had come. */
const letTimePass = () =>
  db.query(
    `UPDATE "Unsubscribe" SET "dueAt" = now() - interval '1 s', "leasedUntil" = CASE WHEN "leasedUntil" IS NOT NULL THEN now() - interval '1 hour' END WHERE "userId" = $1`,
    [userId],
  );

const minutesUntilDue = async (): Promise<number> => {
  const [row] = await db.query<{ seconds: number }>(
    `SELECT extract(epoch FROM "dueAt" - now())::float8 AS "seconds" FROM "Unsubscribe" WHERE "userId" = $1`,
    [userId],
  );
  return (row?.seconds ?? 0) / 60;
};

const createUser = async (): Promise<string> => {
  const id = uuidv7();
  await db.query(`INSERT INTO "User" ("id", "providerSubject", "email") VALUES ($1, $2, 'a@example.com')`, [
    id,
    id,
  ]);
  return id;
};

let db: TestDatabase;
let userId: string;
let senderId: string;
let called: string[];
let lines: string[];
let overview: ReturnType<typeof createSenders>;
let unsubscribing: ReturnType<typeof createUnsubscribing>;
beforeAll(async () => {
  db = await createTestDatabase();
  overview = createSenders({ database: db.database, cipher, senderKey });
  unsubscribing = createUnsubscribing({ database: db.database, cipher });
});
afterAll(() => db.drop());
beforeEach(async () => {
  await db.query('DELETE FROM "Unsubscribe"');
  userId = await createUser();
  called = [];
  lines = [];
});
