import { type Database, Prisma } from '@mailsweep/database';
import type { SenderKeys } from './sender-address.ts';

/** What a message says of its sender. */
export interface NamedSender extends Omit<SenderKeys, 'listKey'> {
  userId: string;
}

/** Remembers by which names senders may be protected. @param guard - what has to be there, as the end of a `FROM` */
export const insertSenderNames = (senders: readonly NamedSender[], guard = Prisma.empty): Prisma.Sql => {
  const distinct = new Map(senders.map((sender) => [`${sender.userId} ${sender.senderKey}`, sender]));
  return Prisma.sql`
    INSERT INTO "SenderName" ("userId", "senderKey", "nameKey")
    SELECT named."userId", decode(named."senderKey", 'hex'), decode(name."key", 'hex')
    FROM jsonb_to_recordset(${JSON.stringify([...distinct.values()])}::jsonb) AS named(
      "userId" uuid, "senderKey" text, "nameKeys" text[])
    CROSS JOIN unnest(named."nameKeys") AS name("key") ${guard}
    ON CONFLICT ("userId", "nameKey", "senderKey") DO NOTHING`;
};

/** Remembers further names of senders of cached messages. */
export const saveSenderNames = async (database: Database, senders: readonly NamedSender[]): Promise<void> => {
  await database.$executeRaw(insertSenderNames(senders));
};
