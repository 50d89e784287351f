import { Prisma } from '@mailsweep/database';
import { isFrom } from '../../sender-groups/sender-source.repository.ts';

/** Chooses emails with open suggestions by the best suggestion of each. */
export interface SuggestionFilter {
  actions?: readonly string[] | undefined;
  classification?: string | undefined;
  /** Any of these classifications. */
  classifications?: readonly string[] | undefined;
  /** Lowest confidence, from 0 to 1. */
  minConfidence?: number | undefined;
  /** Lowest probability that the user accepts it, from 0 to 1; needs the model in `fromCachedEmails`. */
  minAcceptance?: number | undefined;
  /** The probability is lower than this; needs the model, too. */
  belowAcceptance?: number | undefined;
  /** The sender's id: 64 hexadecimal digits. */
  sender?: string | undefined;
  /** Any of these senders, as `isFrom` takes them. */
  senders?: readonly string[] | undefined;
  receivedBefore?: Date | undefined;
}

/**
 * Whether an email in `fromCachedEmails` has open suggestions, and its best one passes the filter. Groups, lists and
 * cleanups share this condition, so that they never differ.
 */
export const hasOpenSuggestion = (filter: SuggestionFilter): Prisma.Sql => {
  const { actions, classification, classifications, minConfidence, minAcceptance } = filter;
  const { belowAcceptance, sender, senders, receivedBefore } = filter;
  const conditions = [
    Prisma.sql`open."emailId" IS NOT NULL`,
    ...(actions ? [Prisma.sql`open."action" = ANY(${actions}::text[])`] : []),
    ...(classification === undefined ? [] : [Prisma.sql`open."classification" = ${classification}`]),
    ...(classifications === undefined
      ? []
      : [Prisma.sql`open."classification" = ANY(${classifications}::text[])`]),
    ...(minConfidence === undefined ? [] : [Prisma.sql`open."confidence" >= ${minConfidence}`]),
    ...(minAcceptance === undefined ? [] : [Prisma.sql`learned."acceptance" >= ${minAcceptance}`]),
    ...(belowAcceptance === undefined ? [] : [Prisma.sql`learned."acceptance" < ${belowAcceptance}`]),
    ...(sender === undefined ? [] : [Prisma.sql`message."senderKey" = decode(${sender}, 'hex')`]),
    ...(senders === undefined ? [] : [isFrom(senders)]),
    ...(receivedBefore === undefined ? [] : [Prisma.sql`message."receivedAt" < ${receivedBefore}`]),
  ];
  return Prisma.join(conditions, ' AND ');
};
