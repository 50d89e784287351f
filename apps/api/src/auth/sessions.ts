import type { Pagination } from '@mailsweep/contracts';
import { deleteAllPushSubscriptions, insertAuditEntry, listPeerIds, lockPeers } from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import type { Client } from '../http/client.ts';
import { deleteAllAuthorizationRequests } from './authorization-server/authorization-request.repository.ts';
import { deleteAllTokens } from './personal-tokens/personal-token.repository.ts';
import {
  type CurrentSession,
  listLiveSessions,
  revokeAllSessions,
  revokeSession,
} from './session.repository.ts';

/** Lists sessions, and ends them at once, on every replica. Each change and its audit entry are one transaction. */
export const createSessions = ({ database }: { database: Database }) => ({
  list: (current: CurrentSession, pagination: Pagination) => listLiveSessions(database, current, pagination),

  /** Ends the session that asks. */
  async endCurrent(current: CurrentSession, client: Client): Promise<void> {
    await database.$transaction(async (tx) => {
      if (!(await revokeSession(tx, current))) return;
      const { id: sessionId, userId } = current;
      await insertAuditEntry(tx, { userId, event: 'signed_out', sessionId, ...client });
    });
  },

  /**
   * Ends all sessions, personal access tokens and codes of the user and of their owner's other mailboxes, and sends nothing more
   * to their browsers; returns how many were live.
   */
  endAll: ({ id, userId }: CurrentSession, client: Client): Promise<{ sessions: number; tokens: number }> =>
    database.$transaction(async (tx) => {
      // First: exchanging a code locks the code's row before the user's.
      await deleteAllAuthorizationRequests(tx, await listPeerIds(tx, userId));
      const peers = await lockPeers(tx, userId);
      const sessions = await revokeAllSessions(tx, peers);
      const tokens = await deleteAllTokens(tx, peers);
      // Someone else at one of these browsers must not see notifications.
      await deleteAllPushSubscriptions(tx, peers);
      const event = 'signed_out_everywhere';
      await insertAuditEntry(tx, { userId, event, sessionId: id, ...client, details: { sessions, tokens } });
      return { sessions, tokens };
    }),

  /**
   * Ends another session of the user.
   *
   * @returns false when the user has no such live session
   */
  endOther: (current: CurrentSession, otherId: string, client: Client): Promise<boolean> =>
    database.$transaction(async (tx) => {
      const { id, userId } = current;
      if (!(await revokeSession(tx, { ...current, id: otherId }))) return false;
      const details = { revokedSessionId: otherId };
      await insertAuditEntry(tx, { userId, event: 'session_revoked', sessionId: id, ...client, details });
      return true;
    }),
});

export type Sessions = ReturnType<typeof createSessions>;
