import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { migrateDatabase } from '@mailsweep/database/migrate';
import { connectTestDatabase } from '@mailsweep/database/testing';
import { DOMAIN_EVENTS_QUEUE, openQueueBackend } from '@mailsweep/event-bus';
import { createRecordingLogger } from '@mailsweep/service-kit/testing';
import { findInstalledPostgres } from '@mailsweep/stack/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { forgetEverything } from './harness/ask-redis.ts';
import { eventually, openRow } from './harness/campaign.ts';
import { ADA, explainFailure, type FaultStack, startFaultStack, type User } from './harness/fault-stack.ts';
import { mails } from './harness/google.ts';
import { startProductionDatabase } from './harness/production-database.ts';

const BOB = 'bob@example.com';
const CLEO = 'cleo@example.com';
/** Several calls of Gmail for a cleanup or an undo. */
const EMAILS = 4_400;
/** How long each of these calls takes, so that neither is at its end on a slow machine either. */
const BATCH_MODIFY_MS = 3_000;
const EVENTS = 40;

const programs = findInstalledPostgres();
const missing = programs === null ? 'no Postgres with pg_dump below /usr/lib/postgresql' : 'no redis-server';
const isSkipped = programs === null || inject('redisUrl') === null;

const row = openRow('R45');

describe.skipIf(isSkipped)(`R45 a backup is restored${isSkipped ? ` (skipped: ${missing})` : ''}`, () => {
  it('on another server: nothing is lost, work goes on, and a wrong key is named', async () => {
    explainFailure(stack);
    const [ada, bob, cleo] = [await stack.signIn(ADA), await stack.signIn(BOB), await stack.signIn(CLEO)];
    const suggested = await bob.ask('/api/v1/suggestions');
    const [emailId] = suggested.body.emails.map(({ id }: { id: string }) => id);
    await bob.ask('/api/v1/notifications/confirm', { json: { emailIds: [emailId], action: 'accept' } });
    const undone = await planMarkAllAsRead(ada);
    await run(ada, undone);
    await eventually(async () =>
      expect(await readCleanup(ada, undone)).toMatchObject({ state: 'completed' }),
    );

    // An undo and a cleanup of more than a step, neither of them at its end, and events on their way.
    const running = await planMarkAllAsRead(cleo);
    await stack.google.behave({ batchModifyMs: BATCH_MODIFY_MS });
    await run(cleo, running);
    expect((await ada.ask(`/api/v1/cleanups/${undone}/undo`, { method: 'POST' })).status).toBe(202);
    await eventually(async () => expect((await readCleanup(cleo, running)).processed).toBeGreaterThan(0));
    for (const link of stack.links('gmail', stack.workers)) link.freeze();
    stack.worker.links.redis.cut();
    const events = await stack.publishEvents(EVENTS, cleo.userId);
    expect((await readCleanup(ada, undone)).undone).toBeLessThan(EMAILS);
    expect((await readCleanup(cleo, running)).processed).toBeLessThan(EMAILS);
    const committed = await readCommitted();

    await addToQueueInPostgres();

    const file = (await production.runScript('backup.sh', production.folder)).trim();
    stack.worker.links.redis.heal();

    const erased = await bob.ask('/api/v1/me', { method: 'DELETE', json: { confirm: BOB } });
    expect(erased.status).toBe(204);
    const erasure = stack.readLogs().find((line) => line.includes('"securityEvent":"data_erased"'));
    expect(erasure).toContain(bob.userId);
    await Promise.all(stack.members.map((member) => member.kill()));
    await production.replace();
    await forgetEverything(stack.redis?.url ?? '');
    row.ran();

    expect(await production.runScript('restore.sh', file)).toContain('Restored');
    await expect(production.runScript('restore.sh', file)).rejects.toThrow('Nothing was changed');
    expect(await migrateDatabase({ databaseUrl: production.ownerUrl })).toEqual([]);
    await addToQueueInPostgres();
    const restored = await readCommitted();
    const gone = [...committed].filter((id) => !restored.has(id));
    row.lost(gone.length);
    expect(gone).toEqual([]);

    await eraseByCommand(bob);
    expect(await stack.query('SELECT FROM "User" WHERE "id" = $1', [bob.userId])).toEqual([]);

    await stack.api.start({ TOKEN_ENCRYPTION_KEY: randomBytes(32).toString('base64') });
    await eventually(() =>
      expect(stack.readLogs().findLast((line) => line.includes('another key'))).toMatch(
        /"readable":0,"unreadable":2/,
      ),
    );
    await stack.api.kill();

    await stack.google.behave({ batchModifyMs: 0 });
    for (const link of stack.links('gmail', stack.workers)) link.heal();
    await Promise.all(stack.members.map((member) => member.start()));
    // The session, and the tokens at the provider, are those of before.
    expect((await ada.ask('/api/v1/emails')).status).toBe(200);
    await eventually(async () => {
      expect(await readCleanup(cleo, running)).toMatchObject({ state: 'completed', processed: EMAILS });
      expect((await readCleanup(ada, undone)).undone).toBe(EMAILS);
    }, 60_000);
    for (const id of ['cleo-1', `cleo-${EMAILS}`]) {
      expect(await stack.google.labelsOf(CLEO, id)).not.toContain('UNREAD');
    }
    await stack.waitUntilFinished(90_000);
    const { lost, doubled } = await stack.judgeEvents(events);
    row.lost(lost);
    row.doubled(doubled);
    expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 });
    // A call from before the destruction may come again, under the same id.
    await eventually(() =>
      expect(stack.webhook.calls.map(({ id }) => id)).toEqual(expect.arrayContaining(events)),
    );
  });

  const planMarkAllAsRead = async (user: User): Promise<string> => {
    const selection = { type: 'filter', scope: 'inbox', unread: true, except: [] };
    const plan = await user.ask('/api/v1/cleanups', { json: { action: 'mark_read', selection } });
    expect(plan.body).toMatchObject({ total: EMAILS });
    return plan.body.id;
  };

  const run = async (user: User, plan: string): Promise<void> =>
    expect((await user.ask(`/api/v1/cleanups/${plan}/run`, { json: {} })).status).toBe(200);

  const readCleanup = async (user: User, id: string) => (await user.ask(`/api/v1/cleanups/${id}`)).body;

  /** As without Redis: its tables belong to the services, whose rights a restored database must give them. */
  const addToQueueInPostgres = async () => {
    const { logger } = createRecordingLogger();
    const queue = await openQueueBackend({ databaseUrl: production.serviceUrl, logger });
    await queue.addJobs(
      DOMAIN_EVENTS_QUEUE,
      ['one', 'two'].map((id) => ({ id, name: 'an event', data: {} })),
    );
    expect((await queue.countJobs(DOMAIN_EVENTS_QUEUE)).waiting).toBe(2);
    await queue.close();
  };

  /** The ids of what users and the workflow service were told of. */
  const readCommitted = async (): Promise<Set<string>> => {
    const rows = await stack.query<{ id: string }>(
      `SELECT "id" FROM "ActionHistory" UNION ALL SELECT "id" FROM "NotificationEvent"
       UNION ALL SELECT "id" FROM "OutboxEvent" UNION ALL SELECT "id" FROM "Session"`,
    );
    return new Set(rows.map(({ id }) => id));
  };

  const eraseByCommand = async ({ userId }: User): Promise<void> => {
    const { TOKEN_ENCRYPTION_KEY } = stack.secrets;
    await promisify(execFile)(process.execPath, ['apps/api/src/erase.ts', userId], {
      env: {
        DATABASE_URL: production.serviceUrl,
        REDIS_URL: stack.redis?.url,
        OAUTH_ISSUER: stack.google.url,
        OAUTH_CLIENT_ID: stack.google.clientId,
        OAUTH_CLIENT_SECRET: stack.google.clientSecret,
        OAUTH_REDIRECT_URI: `${stack.api.url}/auth/idp/callback`,
        TOKEN_ENCRYPTION_KEY,
      },
    });
  };

  let stack: FaultStack;
  let production: Awaited<ReturnType<typeof startProductionDatabase>>;
  beforeAll(async () => {
    production = await startProductionDatabase(programs ?? '');
    await migrateDatabase({ databaseUrl: production.ownerUrl });
    stack = await startFaultStack({
      queue: 'redis',
      database: connectTestDatabase(production.superuserUrl, production),
      mail: { [ADA]: mails(EMAILS, 'ada'), [BOB]: mails(3, 'bob'), [CLEO]: mails(EMAILS, 'cleo') },
    });
  });
  afterAll(() => production.close());
});
