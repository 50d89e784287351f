import type { Mailsweep } from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import type { Logger } from '@mailsweep/service-kit';
import { z } from 'zod';

const ArgumentsSchema = z.tuple([z.uuid()]);

/**
 * Erases everything stored about a user, for operators: a user whose account at the provider was deleted cannot sign
 * in to do it.
 *
 * @param args - the user's id
 * @returns the exit code: 1 when there is no such user, 2 when the arguments are wrong
 */
export const runEraseCommand = async (
  args: string[],
  dependencies: {
    database: Database;
    eraseUser: Mailsweep['account']['erase'];
    logger: Pick<Logger, 'info'>;
    say: (line: string) => void;
  },
): Promise<number> => {
  const { database, eraseUser, logger, say } = dependencies;
  const parsed = ArgumentsSchema.safeParse(args);
  if (!parsed.success) {
    say('Usage: erase <user id>');
    return 2;
  }
  const [userId] = parsed.data;
  if ((await database.user.count({ where: { id: userId } })) === 0) {
    say(`There is no user ${userId}.`);
    return 1;
  }
  const outcome = await eraseUser(userId);
  logger.info({ securityEvent: 'data_erased', userId, ...outcome }, 'data erased');
  say(`Erased user ${userId}.`);
  if (!outcome.isGrantRevoked) say('The provider did not take the grant back: see the log.');
  if (!outcome.isQueueCleared) say('Jobs are left in the queue; they expire within 30 days.');
  return 0;
};
