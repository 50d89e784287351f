import { type Database, Prisma } from '@mailsweep/database';

/** What begins the key of a mailing list, and that of a sender's emails that came by none, beside keys of senders. */
export const LIST = 'list:';
export const UNLISTED = 'unlisted:';

/** Keys by which `isFrom` selects emails, each with the id of the sender or group that was asked for. */
export type SenderSources = ReadonlyMap<string, string>;

const toKeys = (keys: readonly string[]): Prisma.Sql =>
  Prisma.sql`(SELECT decode("key", 'hex') FROM unnest(${keys}::text[]) AS keys("key"))`;

/** Whether `message` is from one of these senders. @param sources - keys in hexadecimal digits */
export const isFrom = (sources: Iterable<string>): Prisma.Sql => {
  const all = [...sources];
  const lists = all.filter((key) => key.startsWith(LIST)).map((key) => key.slice(LIST.length));
  const unlisted = all.filter((key) => key.startsWith(UNLISTED)).map((key) => key.slice(UNLISTED.length));
  const senders = all.filter((key) => !key.includes(':'));
  return Prisma.sql`(message."senderKey" IN ${toKeys(senders)}
    ${lists.length === 0 ? Prisma.empty : Prisma.sql`OR (message."listKey" IN ${toKeys(lists)} AND message."senderKey" <> '')`}
    ${unlisted.length === 0 ? Prisma.empty : Prisma.sql`OR (message."senderKey" IN ${toKeys(unlisted)} AND message."listKey" IS NULL)`})`;
};

/** The id by which `message` was asked for. */
export const askedSender = (sources: SenderSources): Prisma.Sql => {
  const asked = Prisma.sql`${JSON.stringify(Object.fromEntries(sources))}::jsonb`;
  const sender = Prisma.sql`encode(message."senderKey", 'hex')`;
  return Prisma.sql`coalesce(${asked} ->> ${sender}, ${asked} ->> (${LIST} || encode(message."listKey", 'hex')),
    ${asked} ->> (${UNLISTED} || ${sender}))`;
};

/** The text of an email of each sender, and of each mailing list that its emails came by. */
export interface SenderText {
  senderId: string;
  listKey: string | null;
  emailId: string;
  encryptedText: string;
}

export const listSenderTexts = (database: Database, userId: string): Promise<SenderText[]> =>
  database.$queryRaw<SenderText[]>`
    SELECT DISTINCT ON (message."senderKey", message."listKey") encode(message."senderKey", 'hex') AS "senderId",
      encode(message."listKey", 'hex') AS "listKey", message."emailId", message."encryptedText"
    FROM "CachedMessage" AS message
    WHERE message."userId" = ${userId}::uuid AND NOT message."isHidden" AND message."senderKey" <> ''`;
