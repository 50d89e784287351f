import { type Database, isWriteConflict } from '@mailsweep/database';
import { type QueueBackend, removeJobsOf } from '@mailsweep/event-bus';
import type { Logger } from '@mailsweep/service-kit';
import { deletePersonalRows } from './personal-data.repository.ts';

/** Longest erasure of one user, in milliseconds. */
const ERASURE_TIMEOUT_MS = 60_000;
/** Attempts of an erasure that conflicts with requests of the same user. */
const MAX_ATTEMPTS = 3;

/**
 * Erases everything stored about a user. The grant is revoked first, because that needs the tokens; if the provider
 * does not respond, the erasure continues. All rows, including the sessions, are deleted in one transaction, so every
 * replica refuses the user from then on. Requests still in flight write nothing more for the user
 * (docs/decisions/019). Waiting jobs are removed from the queue last.
 *
 * @param dependencies.revokeGrant - ends our access to the user's mailbox at the provider
 * @returns whether the grant was revoked, and the jobs were removed
 */
export const createEraseUser =
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
      'the jobs of an erased user could not be removed from the queue',
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
