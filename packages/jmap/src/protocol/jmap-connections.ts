import pLimit, { type LimitFunction } from 'p-limit';
import type { Session } from './jmap-session.ts';

/** What a process knows of one user's account, and how many requests of the user are in flight. */
export interface JmapConnection {
  readonly session: Session | undefined;
  know(session: Session): void;
  /** Has the session resource read again. */
  forget(): void;
  /** Does work when few enough requests of this process are in flight. */
  readonly limit: LimitFunction;
}

/** The connections of all users of a process. */
export interface JmapConnections {
  of(userId: string): JmapConnection;
}

/** Requests in flight before the server has said how many it takes. */
const FIRST_REQUESTS = 1;
/** Most users whose sessions are remembered. */
const MAX_CONNECTIONS = 1_000;

const createConnection = (): JmapConnection => {
  let known: Session | undefined;
  const limit = pLimit(FIRST_REQUESTS);
  return {
    limit,
    get session() {
      return known;
    },
    know(session) {
      known = session;
      // Half of what the server takes: the API and a worker send requests of a user side by side (decision 073).
      limit.concurrency = Math.max(1, Math.floor(session.limits.maxConcurrentRequests / 2));
    },
    forget() {
      known = undefined;
    },
  };
};

export const createJmapConnections = (): JmapConnections => {
  /** In the order in which they were last used. */
  const connections = new Map<string, JmapConnection>();
  return {
    of(userId) {
      const connection = connections.get(userId) ?? createConnection();
      connections.delete(userId);
      connections.set(userId, connection);
      const [oldest] = connections.keys();
      if (connections.size > MAX_CONNECTIONS && oldest !== undefined) connections.delete(oldest);
      return connection;
    },
  };
};
