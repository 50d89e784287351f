import type { ActionHistoryRecord, LabelChange } from '@mailsweep/contracts';
import { createTestDatabase } from '@mailsweep/database/testing';
import { createTokenCipher } from '@mailsweep/mail/provider-connection';
import { createLogger } from '@mailsweep/service-kit';
import { v7 as uuidv7 } from 'uuid';
import type { IntendedAction, IntendedChanges } from '../intents/intended-changes.ts';
import { createIntentExecutor } from '../intents/intent-executor.ts';
import { createRecordOutcomes } from '../intents/record-outcomes.ts';
import { createFakeMailbox } from './fake-mailbox.ts';

export const USER_ID = '019a0000-0000-7000-8000-000000000001';
/** Rounds come when a test asks for them, not by the clock. */
const NEVER_MS = 2 ** 31 - 1;

const ARCHIVE: LabelChange = { added: [], removed: ['INBOX'] };

/** One email of a plan. */
export const planItem = (emailId: string, labelChange = ARCHIVE): IntendedAction => ({
  recordId: uuidv7(),
  emailId,
  labelChange,
  status: 'ok',
  note: '',
});

/** A plan to archive emails. */
export const archivePlan = (
  source: 'inbox' | 'suggestions',
  ...emailIds: string[]
): Extract<IntendedChanges, { kind: 'act' }> => ({
  kind: 'act',
  source,
  action: source === 'inbox' ? 'archive' : 'accept',
  batchId: uuidv7(),
  items: emailIds.map((emailId) => planItem(emailId)),
});

/** Plan executors on a real database of their own, with a mailbox in memory and a clock that a test sets. */
export const openBench = async (messages: Record<string, string[]>) => {
  const { database, query, drop } = await createTestDatabase();
  const fake = createFakeMailbox(messages);
  const logLines: string[] = [];
  const destination = { write: (line: string) => void logLines.push(line) };
  const logger = createLogger({ service: 'test', level: 'debug', destination });
  const cipher = createTokenCipher({ current: Buffer.alloc(32, 1) });
  const time = { now: new Date('2026-03-01T12:00:00.000Z') };
  const nowMs = () => time.now.getTime();
  let wakes = 0;
  const onEventRecorded = () => {
    wakes += 1;
  };
  const recordOutcomes = createRecordOutcomes({
    database,
    messageCipher: cipher,
    notificationCipher: cipher,
    nowMs,
    onEventRecorded,
  });
  const openMailbox = () => fake.mailbox;
  const executors: { close(): Promise<void> }[] = [];

  return {
    database,
    query,
    fake,
    logLines,
    time,
    recordOutcomes,
    countWakes: () => wakes,
    /** One more process. */
    openExecutor(recoveryIntervalMs = NEVER_MS) {
      const executor = createIntentExecutor({
        database,
        openMailbox,
        recordOutcomes,
        nowMs,
        logger,
        recoveryIntervalMs,
      });
      executors.push(executor);
      return {
        ...executor,
        carryOut: (userId: string, plan: IntendedChanges) =>
          executor.withMailboxLease(userId, (leased) => leased.carryOut(plan)),
      };
    },
    /** Leaves a plan behind as a process does that dies after it has written it down. */
    async abandon(plan: unknown, requestedAt = time.now): Promise<string> {
      const id = uuidv7();
      await query(
        `INSERT INTO "ActionIntent" ("id", "userId", "plan", "requestedAt", "leasedUntil")
         VALUES ($1, $2, $3, $4, now() - interval '1 s')`,
        [id, USER_ID, plan, requestedAt],
      );
      return id;
    },
    /** Lets all leases run out. */
    expireLeases: async () => {
      await query('DELETE FROM "MailboxLease"');
      await query(`UPDATE "ActionIntent" SET "leasedUntil" = now() - interval '1 s'`);
    },
    listIntents: () =>
      query<{ id: string; plan: IntendedChanges; leasedUntil: Date }>(
        'SELECT * FROM "ActionIntent" ORDER BY "id"',
      ),
    listHistory: () =>
      query<Omit<ActionHistoryRecord, 'timestamp' | 'undoneAt'> & { timestamp: Date; undoneAt: Date | null }>(
        'SELECT * FROM "ActionHistory" ORDER BY "emailId"',
      ),
    listEvents: () => query<{ type: string; payload: object }>('SELECT * FROM "OutboxEvent" ORDER BY "id"'),
    /** Makes the database refuse to store history, until the returned function is called. */
    async breakHistory() {
      await query(`
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
        CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON "ActionHistory" EXECUTE FUNCTION refuse();`);
      return () => query('DROP FUNCTION refuse CASCADE');
    },
    async close() {
      for (const executor of executors) await executor.close();
      await drop();
    },
  };
};

export type Bench = Awaited<ReturnType<typeof openBench>>;
