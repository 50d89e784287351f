import { Prisma } from '@mailsweep/database';

/** The kinds of work that workers do because a row says that it is due (docs/decisions/052). */
export const WORK_KINDS = [
  'scan',
  'cleanup',
  'undo',
  'watch',
  'unsubscribe',
  'notification',
  'digest',
] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

/** How long a scan or a cleanup may go without progress before it is given up, in hours. */
const GIVE_UP_H = 24;
/** Most calls to unsubscribe with an outcome; a request that has had them is refused without another one. */
export const MAX_UNSUBSCRIBE_CALLS = 4;

const NEVER = Prisma.sql`false`;
const TOMORROW = Prisma.sql`now() + interval '1 day'`;

/** Where a kind of work is stored, and how its rows are told apart. */
interface WorkRows {
  table: Prisma.Sql;
  /** What names a piece of work; rows that have it in common are claimed together. */
  key: Prisma.Sql;
  dueAt: Prisma.Sql;
  /** In progress. */
  isActive: Prisma.Sql;
  /** Without progress for too long. */
  isStuck: Prisma.Sql;
  /** Assignments that end the work, or have it tried again much later. */
  giveUp: Prisma.Sql;
  /** What is locked while the work is claimed. */
  claimed: { join: Prisma.Sql; locked: Prisma.Sql };
  /** The trace of what made it due. */
  traceParent: Prisma.Sql;
}

const ONE_ROW = {
  key: Prisma.sql`"id"`,
  dueAt: Prisma.sql`"dueAt"`,
  isStuck: NEVER,
  claimed: { join: Prisma.empty, locked: Prisma.sql`work` },
  traceParent: Prisma.sql`work."traceParent"`,
};

const WITH_PROGRESS = {
  ...ONE_ROW,
  isActive: Prisma.sql`"state" IN ('queued', 'running', 'waiting')`,
  isStuck: Prisma.sql`"progressedAt" < now() - make_interval(hours => ${GIVE_UP_H}::int)`,
  giveUp: Prisma.sql`"state" = 'failed', "error" = 'timed_out', "finishedAt" = now(), "updatedAt" = now()`,
};

export const WORK_ROWS: Record<WorkKind, WorkRows> = {
  scan: { ...WITH_PROGRESS, table: Prisma.sql`"MailboxScan"` },
  cleanup: { ...WITH_PROGRESS, table: Prisma.sql`"Cleanup"` },
  undo: {
    ...ONE_ROW,
    table: Prisma.sql`"ActionBatch"`,
    isActive: Prisma.sql`"undoState" = 'running'`,
    // What was not undone counts as failed; undoing the batch again tries it once more.
    giveUp: Prisma.sql`"undoState" = 'done', "undoFailed" = "total" - "undone", "updatedAt" = now()`,
  },
  watch: {
    ...ONE_ROW,
    table: Prisma.sql`"MailboxWatch"`,
    key: Prisma.sql`"userId"`,
    isActive: Prisma.sql`"dueAt" IS NOT NULL`,
    giveUp: Prisma.sql`"state" = 'waiting', "error" = 'failed', "stoppedAt" = now(), "dueAt" = ${TOMORROW}`,
  },
  unsubscribe: {
    ...ONE_ROW,
    table: Prisma.sql`"Unsubscribe"`,
    isActive: Prisma.sql`"state" = 'requested'`,
    // The worker, which has the key, ends it and removes the address.
    giveUp: Prisma.sql`"attempts" = ${MAX_UNSUBSCRIBE_CALLS}::int, "dueAt" = now()`,
  },
  notification: {
    ...ONE_ROW,
    table: Prisma.sql`"Notification"`,
    // What is due of a user is sent together; the user is locked, since none of the rows stands for all of them.
    key: Prisma.sql`"userId"`,
    claimed: {
      join: Prisma.sql`JOIN "User" AS owner ON owner."id" = work."userId"`,
      locked: Prisma.sql`owner`,
    },
    isActive: Prisma.sql`"state" = 'pending'`,
    giveUp: Prisma.sql`"state" = 'dropped', "endedAt" = now(), "encryptedContent" = NULL`,
  },
  digest: {
    ...ONE_ROW,
    table: Prisma.sql`"UserPreferences"`,
    key: Prisma.sql`"userId"`,
    dueAt: Prisma.sql`"digestDueAt"`,
    isActive: Prisma.sql`"digestDueAt" IS NOT NULL`,
    giveUp: Prisma.sql`"digestDueAt" = ${TOMORROW}`,
    // Due because of the time alone.
    traceParent: Prisma.sql`NULL::text`,
  },
};
