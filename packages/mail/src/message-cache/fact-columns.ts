import { Prisma } from '@mailsweep/database';
import { type MessageFacts, MessageFactsSchema } from '@mailsweep/mail/mailbox';

/** A fact that has a column of its name. All others are encrypted together. */
export type FactColumn = keyof MessageFacts & Prisma.CachedMessageScalarFieldEnum;

/** The columns of a row of CachedMessage from which facts are read. */
export type FactsRow = Record<FactColumn, unknown> & { encryptedText: string };

export const FACT_COLUMNS = Object.keys(MessageFactsSchema.shape).filter(
  (fact): fact is FactColumn => fact in Prisma.CachedMessageScalarFieldEnum,
);
const mask = Object.fromEntries(FACT_COLUMNS.map((column) => [column, true])) as Record<FactColumn, true>;

export const MessageTextSchema = MessageFactsSchema.omit(mask);
export const MessageColumnsSchema = MessageFactsSchema.pick(mask);

export const readFactColumns = (row: Record<FactColumn, unknown>): Pick<MessageFacts, FactColumn> =>
  MessageColumnsSchema.parse(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)));
