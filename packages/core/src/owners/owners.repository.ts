import { MAX_MAILBOXES, type OwnMailbox } from '@mailsweep/contracts';
import { type Database, Prisma, type Transaction } from '@mailsweep/database';
import { v7 as uuidv7 } from 'uuid';

/** Whose mailboxes a session or a token reaches: its own and, if it has an owner, all of the owner's. */
export interface Reach {
  userId: string;
  ownerId: string | null;
}

/** The ids of the mailboxes that are reached. */
export const reachedUserIds = ({ userId, ownerId }: Reach): Prisma.Sql => Prisma.sql`
  SELECT "id" FROM "User" WHERE "id" = ${userId}::uuid OR "ownerId" = ${ownerId}::uuid`;

/** Runs {@link reachedUserIds}. */
export const listReachedUserIds = async (database: Database, reach: Reach): Promise<string[]> => {
  const rows = await database.$queryRaw<{ id: string }[]>(reachedUserIds(reach));
  return rows.map(({ id }) => id);
};

/** The ids of a mailbox and the others of its owner. */
const idsOfOwner = (userId: string): Prisma.Sql => Prisma.sql`
  SELECT peer."id" FROM "User" AS peer JOIN "User" AS named
    ON peer."id" = named."id" OR peer."ownerId" = named."ownerId"
  WHERE named."id" = ${userId}::uuid`;

/** A mailbox as its owner sees it, without its provider's name. */
export interface OwnMailboxRow extends Pick<OwnMailbox, 'number' | 'email' | 'name' | 'connection'> {
  userId: string;
  /** The operator's key; null where there is no connection. */
  provider: string | null;
}

/** What is reached, in the order of the owner. */
export const listOwnMailboxRows = async (
  database: Database | Transaction,
  reach: Reach,
): Promise<OwnMailboxRow[]> => {
  const rows = await database.$queryRaw<(Omit<OwnMailboxRow, 'connection'> & { isConnected: boolean })[]>`
    SELECT "User"."id" AS "userId", coalesce("mailboxNumber", 1) AS "number", "email", "mailboxName" AS "name",
      "provider", "ProviderConnection"."userId" IS NOT NULL AND "reauthRequiredAt" IS NULL AS "isConnected"
    FROM "User" LEFT JOIN "ProviderConnection" ON "ProviderConnection"."userId" = "User"."id"
    WHERE "User"."id" IN (${reachedUserIds(reach)})
    ORDER BY "mailboxPosition", "mailboxNumber"`;
  return rows.map(({ isConnected, ...row }) => ({
    ...row,
    connection: isConnected ? 'active' : 'reauth_required',
  }));
};

/** The mailbox with a number, as far as it is reached; null where it is not. */
export const findOwnMailbox = async (
  database: Database,
  reach: Reach,
  number: number,
): Promise<string | null> => {
  const [row] = await database.readDirectly<{ id: string }>(Prisma.sql`
    SELECT "id" FROM "User"
    WHERE "id" IN (${reachedUserIds(reach)}) AND coalesce("mailboxNumber", 1) = ${number}::int`);
  return row?.id ?? null;
};

/** The mailboxes of the user's owner, the first one first; the user alone where there is no owner. */
export const listPeerIds = async (database: Database | Transaction, userId: string): Promise<string[]> => {
  const rows = await database.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "User" WHERE "id" IN (${idsOfOwner(userId)}) ORDER BY "mailboxPosition", "mailboxNumber"`;
  return rows.map(({ id }) => id);
};

/**
 * Locks the mailboxes of the user's owner, always in the same order, so that changes of the owner are made one at a time.
 *
 * @returns their ids, the first one first
 */
export const lockPeers = async (tx: Transaction, userId: string): Promise<string[]> => {
  await tx.$queryRaw`
    SELECT FROM "User" WHERE "id" IN (${idsOfOwner(userId)}) ORDER BY "id" FOR NO KEY UPDATE`;
  return listPeerIds(tx, userId);
};

/** What the owner calls the user's mailbox, and its number; undefined where there is no other mailbox. */
export const findNameAmongPeers = async (
  database: Database,
  userId: string,
): Promise<{ number: number; name: string } | undefined> => {
  const [row] = await database.$queryRaw<{ number: number; name: string }[]>`
    SELECT "mailboxNumber" AS "number", coalesce("mailboxName", "email") AS "name" FROM "User"
    WHERE "id" = ${userId}::uuid AND (SELECT count(*) FROM (${idsOfOwner(userId)}) AS peers) > 1`;
  return row;
};

/**
 * Adds a mailbox to those of a session's user. Where they had one alone, an owner is made, and the session is the owner's
 * from then on.
 *
 * @param session - its user has signed in a moment ago
 * @returns the number of the mailbox; or why it was not added
 */
export const addMailbox = async (
  tx: Transaction,
  session: { id: string; userId: string },
  addedId: string,
): Promise<{ number: number; isNew: boolean } | 'mailbox_taken' | 'mailbox_limit'> => {
  const ids = [session.userId, addedId];
  // Both, in the order in which others lock them, so that no two additions wait for each other.
  await tx.$queryRaw`SELECT FROM "User" WHERE "id" = ANY(${ids}::uuid[]) ORDER BY "id" FOR NO KEY UPDATE`;
  const users = await tx.user.findMany({ where: { id: { in: ids } } });
  const [host, added] = ids.map((id) => users.find((user) => user.id === id));
  if (host === undefined || added === undefined) throw new Error('a user was erased during a sign-in');
  if (host.id === added.id) return { number: host.mailboxNumber ?? 1, isNew: false };
  const ownerId = host.ownerId ?? (await makeOwner(tx, host.id));
  await tx.session.updateMany({ where: { id: session.id, userId: host.id }, data: { ownerId } });
  if (added.ownerId === ownerId) return { number: added.mailboxNumber ?? 1, isNew: false };
  if ((await listPeerIds(tx, added.id)).length > 1) return 'mailbox_taken';
  if ((await tx.user.count({ where: { ownerId } })) >= MAX_MAILBOXES) return 'mailbox_limit';
  const { lastNumber } = await tx.owner.update({
    where: { id: ownerId },
    data: { lastNumber: { increment: 1 } },
  });
  await tx.user.update({
    where: { id: added.id },
    data: { ownerId, mailboxNumber: lastNumber, mailboxPosition: lastNumber },
  });
  if (added.ownerId !== null) await deleteOwnerWithoutMailboxes(tx, added.ownerId);
  return { number: lastNumber, isNew: true };
};

const makeOwner = async (tx: Transaction, userId: string): Promise<string> => {
  const { id } = await tx.owner.create({ data: { id: uuidv7() } });
  await tx.user.update({
    where: { id: userId },
    data: { ownerId: id, mailboxNumber: 1, mailboxPosition: 1 },
  });
  return id;
};

/** Takes a mailbox out of those of its owner; sessions and tokens reach what they are for alone. */
export const removeMailbox = async (tx: Transaction, userId: string): Promise<void> => {
  const { ownerId = null } = (await tx.user.findUnique({ where: { id: userId } })) ?? {};
  if (ownerId === null) return;
  await tx.user.update({
    where: { id: userId },
    data: { ownerId: null, mailboxNumber: null, mailboxPosition: null, mailboxName: null },
  });
  await tx.session.updateMany({ where: { userId }, data: { ownerId: null } });
  await tx.personalToken.updateMany({ where: { userId }, data: { ownerId: null } });
  await deleteOwnerWithoutMailboxes(tx, ownerId);
};

const deleteOwnerWithoutMailboxes = (tx: Transaction, id: string) =>
  tx.owner.deleteMany({ where: { id, mailboxes: { none: {} } } });

/** Names a mailbox, or gives it another place among those of its owner. */
export const updateMailbox = async (
  tx: Transaction,
  userId: string,
  { name, position }: { name?: string | null | undefined; position?: number | undefined },
): Promise<void> => {
  if (name !== undefined) await tx.user.update({ where: { id: userId }, data: { mailboxName: name } });
  if (position === undefined) return;
  const others = (await lockPeers(tx, userId)).filter((id) => id !== userId);
  for (const [index, id] of others.toSpliced(position - 1, 0, userId).entries())
    await tx.user.update({ where: { id }, data: { mailboxPosition: index + 1 } });
};
