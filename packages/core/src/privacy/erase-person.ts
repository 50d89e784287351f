import { type Database, isWriteConflict } from '@mailsweep/database';
import { type QueueBackend, removeJobsOf } from '@mailsweep/event-bus';
import type { Logger } from '@mailsweep/service-kit';
import { deletePersonalRows } from './personal-rows.repository.ts';

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
      await database.$transaction((tx) => deletePersonalRows(tx, userId), { timeout: ERASURE_TIMEOUT_MS });
      return;
    } catch (error) {
      if (!isWriteConflict(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
};
