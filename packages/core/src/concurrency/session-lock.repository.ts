import type { Transaction } from '@mailsweep/database';
import { RefusedError } from '../refused-error.ts';

/**
 * Locks a session and the user whom it acts for, its own or another mailbox of its owner, so that
 * what would outlive the session is stored before a sign-out everywhere, which ends it,
 * or not at all.
 *
 * @returns the refusal of a session that has ended
 */
export const lockSession = async (
  tx: Transaction,
  { id, userId }: { id: string | null; userId: string },
): Promise<RefusedError | null> => {
  await tx.$queryRaw`SELECT FROM "User" WHERE "id" = ${userId}::uuid FOR NO KEY UPDATE`;
  const live = await tx.$queryRaw<object[]>`
    SELECT FROM "Session"
    WHERE "id" = ${id}::uuid AND "revokedAt" IS NULL AND "expiresAt" > now()
      AND ("userId" = ${userId}::uuid OR "ownerId" = (SELECT "ownerId" FROM "User" WHERE "id" = ${userId}::uuid))`;
  return live.length > 0 ? null : new RefusedError('unauthorized', 'the session has ended');
};
