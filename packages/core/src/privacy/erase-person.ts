import { type Database, isWriteConflict, Prisma, type Transaction } from '@mailsweep/database';
import { type QueueBackend, removeJobsOf } from '@mailsweep/event-bus';
import type { Logger } from '@mailsweep/service-kit';
import { PERSONAL_TABLES } from './personal-data.ts';

/** Longest erasure of one person, in milliseconds. */
const ERASURE_TIMEOUT_MS = 60_000;
/** How often an erasure is tried that a request of the same person crosses. */
const MAX_ATTEMPTS = 3;

/**
 * Erases everything stored of a person. The provider is told first that we give its grant back, since nobody can
 * tell it once the tokens are gone; should it not answer, the erasure goes on. All rows go in one transaction,
 * the sessions among them, so that every replica refuses the person from then on. What is still under way writes
 * nothing for them any more (docs/decisions/019). Last go the jobs that wait in the queue.
 *
 * @param dependencies.revokeGrant - ends our access to the person's mailbox at the provider
 * @returns whether the provider and the queue have let go of the person too
 */
export const createErasePerson =
  (dependencies: {
    database: Database;
    queue: Pick<QueueBackend, 'openQueue'>;
    revokeGrant: (userId: string) => Promise<void>;
    logger: Logger;
  }) =>
  async (userId: string): Promise<{ isGrantRevoked: boolean; isQueueCleared: boolean }> => {
    const { database, queue, revokeGrant, logger } = dependencies;
    const succeeds = (work: Promise<unknown>, failure: string): Promise<boolean> =>
      work.then(
        () => true,
        (error: unknown) => {
          logger.warn({ err: error, userId }, failure);
          return false;
        },
      );

    const isGrantRevoked = await succeeds(revokeGrant(userId), 'the provider’s grant could not be revoked');
    await eraseRows(database, userId);
    const isQueueCleared = await succeeds(
      removeJobsOf(queue, userId),
      'the jobs of an erased person could not be removed from the queue',
    );
    return { isGrantRevoked, isQueueCleared };
  };

const eraseRows = async (database: Database, userId: string): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await database.$transaction((tx) => deleteEverything(tx, userId), { timeout: ERASURE_TIMEOUT_MS });
      return;
    } catch (error) {
      if (!isWriteConflict(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
};

const deleteEverything = async (tx: Transaction, userId: string): Promise<void> => {
  // The same lock as in the trigger of the migration: insertions that are under way come first or see the mark.
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${userId}, 1))`;
  await tx.$executeRaw`INSERT INTO "ErasedUser" ("id") VALUES (${userId}::uuid) ON CONFLICT DO NOTHING`;
  for (const { table, owner } of PERSONAL_TABLES) {
    await tx.$executeRaw`DELETE FROM ${Prisma.raw(`"${table}"`)} WHERE ${Prisma.raw(`"${owner}"`)} = ${userId}::uuid`;
  }
};
