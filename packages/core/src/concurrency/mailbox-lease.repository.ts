import type { Database } from '@mailsweep/database';

/** How long the mailbox of a process that died stays taken, in seconds. */
export const MAILBOX_LEASE_SECONDS = 6;

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
export const renewMailboxLease = async (
  database: Database,
  { userId, holderId }: MailboxLease,
): Promise<boolean> => {
  const renewed = await database.$executeRaw`
    UPDATE "MailboxLease" SET "leasedUntil" = now() + make_interval(secs => ${MAILBOX_LEASE_SECONDS})
    WHERE "userId" = ${userId}::uuid AND "holderId" = ${holderId}::uuid`;
  return renewed === 1;
};

/** Gives the lease back, unless another request has taken it over. */
export const releaseMailboxLease = async (
  database: Database,
  { userId, holderId }: MailboxLease,
): Promise<void> => {
  await database.$executeRaw`
    DELETE FROM "MailboxLease" WHERE "userId" = ${userId}::uuid AND "holderId" = ${holderId}::uuid`;
};
