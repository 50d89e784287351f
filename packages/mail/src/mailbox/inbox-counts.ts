/** How many emails an inbox has, and how many of them are unread. */
export interface InboxCount {
  total: number;
  unread: number;
}

/** Remembers for a short time what the provider counted, shared by all mailboxes of a process. */
export interface InboxCounts {
  /** The user's count, from `count` unless it is known. Rejects as `count` does, and remembers no failure. */
  get(userId: string, count: () => Promise<InboxCount>): Promise<InboxCount>;
  /** Drops the user's count, also one in flight: the inbox has changed. */
  forget(userId: string): void;
}

/** @param options.reuseMs - how long a count is reused, in milliseconds */
export const createInboxCounts = (options: { reuseMs: number; nowMs: () => number }): InboxCounts => {
  const { reuseMs, nowMs } = options;
  /** In the order in which they expire. */
  const recent = new Map<string, { untilMs: number; count: Promise<InboxCount> }>();

  const dropExpired = (): void => {
    for (const [userId, { untilMs }] of recent) {
      if (untilMs > nowMs()) break;
      recent.delete(userId);
    }
  };

  return {
    async get(userId, count) {
      dropExpired();
      const known = recent.get(userId);
      if (known) return await known.count;
      const entry = { untilMs: nowMs() + reuseMs, count: count() };
      recent.set(userId, entry);
      try {
        return await entry.count;
      } catch (error) {
        if (recent.get(userId) === entry) recent.delete(userId);
        throw error;
      }
    },
    forget(userId) {
      recent.delete(userId);
    },
  };
};
