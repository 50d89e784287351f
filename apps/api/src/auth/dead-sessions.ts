import { LRUCache } from 'lru-cache';

/** Each takes some 200 bytes. */
const MAX_DEAD_SESSIONS = 10_000;

/** A session as its token names it. */
interface NamedSession {
  userId: string;
  sessionId: string;
}

const toKey = ({ userId, sessionId }: NamedSession): string => `${userId}/${sessionId}`;

/**
 * Remembers sessions that the database has said are over, so that a dead token costs one query however often it comes.
 * No session comes back to life, so what is remembered stays true. Live sessions are never remembered: they may be
 * revoked at any time.
 */
export const createDeadSessions = () => {
  const keys = new LRUCache<string, true>({ max: MAX_DEAD_SESSIONS });
  return {
    add: (session: NamedSession): void => void keys.set(toKey(session), true),
    has: (session: NamedSession): boolean => keys.get(toKey(session)) === true,
  };
};
