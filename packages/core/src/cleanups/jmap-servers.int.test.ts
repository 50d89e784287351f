import { createSecretKey, randomBytes } from 'node:crypto';
import { createTestDatabase } from '@mailsweep/database/testing';
import { createJmapConnections, createJmapMailbox } from '@mailsweep/mail/jmap';
import { PROFILES, SERVERS, startFakeJmap } from '@mailsweep/mail/jmap/testing';
import { createTokenCipher } from '@mailsweep/mail/provider-connection';
import { createLogger } from '@mailsweep/service-kit';
import { createManualClock } from '@mailsweep/service-kit/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openTestMailsweep } from '../testing/test-mailsweep.ts';

const USER_ID = '019a0000-0000-7000-8000-000000000001';
const COUNT = 40;
const STEP_SIZE = 15;
const NEVER = new AbortController().signal;

/** An account with mail at a server of a profile, and processes that clean it. */
const open = async (name: (typeof SERVERS)[number]) => {
  const { database, query, drop } = await createTestDatabase();
  const server = await startFakeJmap(PROFILES[name]);
  onTestFinished(async () => {
    await server.close();
    await drop();
  });
  await query(`INSERT INTO "User" ("id", "providerSubject", "email") VALUES ($1, 'ada', '')`, [USER_ID]);
  const { id: bills } = server.addMailbox({ name: 'Bills' });
  const emails = Array.from({ length: COUNT }, (_, index) =>
    server.deliver({
      mailboxIds: new Set(['inbox', ...(index % 4 === 0 ? [bills] : [])]),
      keywords: new Set(index % 3 === 0 ? ['$seen', 'own-word'] : []),
    }),
  );
  const keys = {
    cipher: createTokenCipher({ current: randomBytes(32) }),
    senderKey: createSecretKey(randomBytes(32)),
  };
  const openProcess = (onDeath?: () => void) => {
    const token = async () => 'token';
    const mailbox = createJmapMailbox({
      server: { sessionUrl: server.sessionUrl },
      accessTokens: { current: token, renew: token },
      connections: createJmapConnections(),
      clock: createManualClock(),
    });
    const logger = createLogger({ service: 'test', level: 'silent' });
    const mailsweep = openTestMailsweep(
      { database, ...keys, openMailbox: () => mailbox, logger },
      {
        cleanupStepSize: STEP_SIZE,
        ...(onDeath && {
          recordOutcomes() {
            onDeath();
            return new Promise<void>(() => undefined);
          },
        }),
      },
    );
    onTestFinished(mailsweep.close);
    const steps = mailsweep.openTestSteps();
    return {
      ...mailsweep,
      takeStep: (id: string) => steps.take('cleanup', { id, userId: USER_ID, leaseId: id }, NEVER),
    };
  };
  const read = () =>
    new Map(
      emails.map(({ id }) => {
        const { mailboxIds, keywords } = server.emails.get(id) ?? {};
        return [id, [[...(mailboxIds ?? [])].toSorted(), [...(keywords ?? [])].toSorted()].join(' ')];
      }),
    );
  const expireLeases = async () => {
    await query('DELETE FROM "MailboxLease"');
    await query(`UPDATE "ActionIntent" SET "leasedUntil" = now() - interval '1 s'`);
  };
  return { server, bills, emails, query, openProcess, read, expireLeases };
};

test.each(SERVERS)(
  'a cleanup at %s survives a death and lost states, and is undone exactly',
  async (name) => {
    const { server, bills, emails, query, openProcess, read, expireLeases } = await open(name);
    const before = read();
    const death = Promise.withResolvers<void>();
    const dying = openProcess(death.resolve);
    const plan = await dying.cleanups.plan(USER_ID, {
      action: 'archive',
      selection: { type: 'filter', scope: 'inbox', except: [] },
    });
    expect(plan.total).toBe(COUNT);
    await dying.cleanups.control(USER_ID, plan.id, 'run');
    void dying.takeStep(plan.id);
    await death.promise;

    // Meanwhile another client works, and the server forgets.
    const [oldest, next] = emails;
    if (oldest === undefined || next === undefined) throw new Error('There are no emails');
    server.change(oldest.id, { 'keywords/$flagged': true });
    server.change(next.id, { 'mailboxIds/inbox': null, [`mailboxIds/${bills}`]: true });
    const foreign = [oldest.id, next.id].map((id) => [id, read().get(id)] as const);
    server.expireChanges();
    await expireLeases();

    const process = openProcess();
    for (let outcome = await process.takeStep(plan.id); outcome.kind === 'next'; ) {
      outcome = await process.takeStep(plan.id);
    }
    expect(await process.cleanups.find(USER_ID, plan.id)).toMatchObject({
      state: 'completed',
      changed: COUNT - 2,
      skipped: 2,
    });
    expect([...read().values()].filter((place) => /^inbox|,inbox/.test(place))).toHaveLength(1);
    const records = await query<{ id: string }>('SELECT "id" FROM "ActionHistory"');
    expect(records).toHaveLength(COUNT - 2);
    await process.undo.actions(
      USER_ID,
      records.map(({ id }) => id),
    );
    expect(read()).toEqual(new Map([...before, ...foreign]));
  },
);
