import pLimit, { type LimitFunction } from 'p-limit';
import type { Session } from './jmap-client.ts';

/** Gives a slot back; never rejects. */
type ReleaseSlot = () => Promise<void>;

/** Counts the requests in flight of each user over all processes. */
export interface RequestSlots {
  /**
   * Takes a slot for a request.
   *
   * @param most - how many slots there are
   * @param leaseMs - how long the slot is held at most, should this process die
   * @returns undefined while all are taken
   */
  take(userId: string, most: number, leaseMs: number): Promise<ReleaseSlot | undefined>;
}

/**
 * What a server may refuse that RFC 8620 and 8621 have: `anchor` of a query; `nesting` of mailboxes in the operators of a
 * filter; `headers`: single headers of an email, with all their values.
 */
export type Refusable = 'anchor' | 'nesting' | 'headers';

/** What a process knows of one user's account, and how many requests of the user are in flight. */
export interface JmapConnection {
  readonly session: Session | undefined;
  know(session: Session): void;
  /** Has the session resource read again. */
  forget(): void;
  /** What the server has refused, and is not asked for again. */
  readonly refused: Set<Refusable>;
  /** Whether the server looks at the state that a change is for; undefined while that is not known. */
  checksStates: boolean | undefined;
  /** Most records in a method call of a kind, where the server has refused as many as its session allows. */
  readonly sizes: Map<string, number>;
  /** Does work when this process has few enough requests in flight. */
  readonly limit: LimitFunction;
  /** Takes a slot for a request that takes at most so long; undefined while all processes together have too many. */
  takeSlot(session: Session, timeoutMs: number): Promise<ReleaseSlot | undefined>;
}

export interface JmapConnections {
  of(userId: string): JmapConnection;
}

/** Requests in flight before the server has said how many it takes. */
const FIRST_REQUESTS = 1;
const MAX_CONNECTIONS = 1_000;

/** Counts nothing: for a process that is alone with its server. */
const NO_SLOTS: RequestSlots = { take: async () => async () => undefined };

const createConnection = (userId: string, slots: RequestSlots): JmapConnection => {
  let known: Session | undefined;
  const limit = pLimit(FIRST_REQUESTS);
  return {
    limit,
    refused: new Set(),
    checksStates: undefined,
    sizes: new Map(),
    get session() {
      return known;
    },
    know(session) {
      known = session;
      limit.concurrency = Math.max(1, session.limits.maxConcurrentRequests);
    },
    forget() {
      known = undefined;
    },
    takeSlot: ({ limits }, timeoutMs) =>
      slots.take(userId, Math.max(1, limits.maxConcurrentRequests), timeoutMs),
  };
};

export const createJmapConnections = (slots: RequestSlots = NO_SLOTS): JmapConnections => {
  /** In the order in which they were last used. */
  const connections = new Map<string, JmapConnection>();
  return {
    of(userId) {
      const connection = connections.get(userId) ?? createConnection(userId, slots);
      connections.delete(userId);
      connections.set(userId, connection);
      const [oldest] = connections.keys();
      if (connections.size > MAX_CONNECTIONS && oldest !== undefined) connections.delete(oldest);
      return connection;
    },
  };
};
