import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@mailsweep/database';
import { type Logger, whileRenewing, withDeadline } from '@mailsweep/service-kit';

/** Longest wait for the changes before, in milliseconds; longer than the lease of a process that died. */
const MAX_WAIT_MS = 15_000;
/** Mean time between two attempts to take the lease while another replica holds it, in milliseconds. */
const POLL_MS = 100;
/** How long the mailbox of a process that died stays taken, in seconds. */
export const MAILBOX_LEASE_SECONDS = 6;
const RENEW_INTERVAL_MS = (MAILBOX_LEASE_SECONDS * 1_000) / 3;
/** Longest wait for the database to take a lease back, in milliseconds; it runs out by itself. */
const RELEASE_TIMEOUT_MS = 2_000;
const RETRY_AFTER_MS = 5_000;

/** Other changes of the same mailbox took too long; nothing was done. */
export class MailboxBusyError extends Error {
  override readonly name = 'MailboxBusyError';
  readonly code = 'mailbox_busy';
  readonly retryAfterMs = RETRY_AFTER_MS;
}

/** Lets one change at a time into each user's mailbox, across all replicas (docs/decisions/032). */
export interface MailboxLock {
  /**
   * Does work while no other change of the user's mailbox is running. Within a process, requests take turns in the order
   * in which they came.
   *
   * @param maxWaitMs - longest wait for the lease, in milliseconds; 0 gives up at once
   * @throws {MailboxBusyError} when the lease was not free in time; the work was not started then
   */
  hold<T>(userId: string, work: (lease: MailboxLease) => Promise<T>, maxWaitMs?: number): Promise<T>;
}

/** Creates the lock of one process; it opens nothing that needs closing. */
export const createMailboxLock = ({
  database,
  logger,
}: {
  database: Database;
  logger: Logger;
}): MailboxLock => {
  /** Fulfilled when the last request in line is done, by user. */
  const lines = new Map<string, Promise<unknown>>();

  const takeLease = async (lease: MailboxLease, deadlineMs: number): Promise<void> => {
    while (!(await takeMailboxLease(database, lease))) {
      const remainingMs = deadlineMs - performance.now();
      if (remainingMs <= 0) throw new MailboxBusyError('another replica is changing the mailbox');
      await sleep(Math.min(remainingMs, POLL_MS * (0.5 + Math.random())));
    }
  };

  const renew = async (lease: MailboxLease): Promise<void> => {
    if (!(await renewMailboxLease(database, lease))) {
      logger.warn({ userId: lease.userId }, 'the lease of a mailbox was lost while it was being changed');
    }
  };

  const release = async (lease: MailboxLease): Promise<void> => {
    const timedOut = () => new Error('the database did not respond');
    await withDeadline(releaseMailboxLease(database, lease), RELEASE_TIMEOUT_MS, timedOut).catch(
      (error: unknown) =>
        logger.warn({ err: error, userId: lease.userId }, 'the lease of a mailbox could not be released'),
    );
  };

  const workUnderLease = async <T>(
    lease: MailboxLease,
    work: (lease: MailboxLease) => Promise<T>,
  ): Promise<T> => {
    try {
      return await whileRenewing(() => work(lease), {
        renew: () => renew(lease),
        intervalMs: RENEW_INTERVAL_MS,
        onFailure: (error) =>
          logger.warn({ err: error, userId: lease.userId }, 'the lease of a mailbox could not be renewed'),
      });
    } finally {
      await release(lease);
    }
  };

  return {
    async hold(userId, work, maxWaitMs = MAX_WAIT_MS) {
      const deadlineMs = performance.now() + maxWaitMs;
      const ahead = lines.get(userId);
      const { promise: done, resolve: finish } = Promise.withResolvers<void>();
      const line = Promise.all([ahead, done]);
      lines.set(userId, line);
      const busy = () => new MailboxBusyError('other changes of the mailbox are waiting');
      try {
        if (ahead !== undefined) await withDeadline(ahead, maxWaitMs, busy);
        const lease = { userId, holderId: randomUUID() };
        await takeLease(lease, deadlineMs);
        return await workUnderLease(lease, work);
      } finally {
        finish();
        void line.then(() => lines.get(userId) === line && lines.delete(userId));
      }
    },
  };
};

/** The right to change a user's mailbox, until it is released or runs out. */
export interface MailboxLease {
  userId: string;
  holderId: string;
}

/** Takes the lease if it is free or has run out; returns whether it did. */
export const takeMailboxLease = async (
  database: Database,
  { userId, holderId }: MailboxLease,
): Promise<boolean> => {
  const taken = await database.$executeRaw`
    INSERT INTO "MailboxLease" AS lease ("userId", "holderId", "leasedUntil")
    VALUES (${userId}::uuid, ${holderId}::uuid, now() + make_interval(secs => ${MAILBOX_LEASE_SECONDS}))
    ON CONFLICT ("userId") DO UPDATE
    SET "holderId" = excluded."holderId", "leasedUntil" = excluded."leasedUntil"
    WHERE lease."leasedUntil" < now()`;
  return taken === 1;
};

/** Extends the lease; false when another request has taken it over. */
const renewMailboxLease = async (
  database: Database,
  { userId, holderId }: MailboxLease,
): Promise<boolean> => {
  const renewed = await database.$executeRaw`
    UPDATE "MailboxLease" SET "leasedUntil" = now() + make_interval(secs => ${MAILBOX_LEASE_SECONDS})
    WHERE "userId" = ${userId}::uuid AND "holderId" = ${holderId}::uuid`;
  return renewed === 1;
};

/** Gives the lease back, unless another request has taken it over. */
const releaseMailboxLease = async (database: Database, { userId, holderId }: MailboxLease): Promise<void> => {
  await database.$executeRaw`
    DELETE FROM "MailboxLease" WHERE "userId" = ${userId}::uuid AND "holderId" = ${holderId}::uuid`;
};
