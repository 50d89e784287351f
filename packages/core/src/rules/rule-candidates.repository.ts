import type { CleanupSelection } from '@mailsweep/contracts';
import { type Database, Prisma } from '@mailsweep/database';
import { toReceivedBefore } from '../emails/email-filters.ts';
import { cachedReason, noticedEmails } from '../protections/cached-protection.repository.ts';
import { asksForReceipts, clearsAway } from '../protections/why-protected.ts';
import { askedSender, isFrom, type SenderSources } from '../sender-groups/sender-source.repository.ts';
import { fromCachedEmails } from '../suggestions/cached-emails.repository.ts';
import { hasOpenSuggestion } from '../suggestions/groups/suggestion-filter.repository.ts';

/** A rule, and what it does. */
interface ActingRule {
  ruleId: string;
  action: string;
}

/**
 * Records of a rule's earlier actions, and of the same action that the user has undone, from any source: a rule acts on an
 * email once, and never again on what was undone.
 */
const isHandling = (userId: string, { ruleId, action }: ActingRule): Prisma.Sql => Prisma.sql`
  record."userId" = ${userId}::uuid AND (record."action" = ${action} OR record."effect" = ${action})
  AND (record."undoneAt" IS NOT NULL OR EXISTS (
    SELECT FROM "ActionBatch" AS batch WHERE batch."id" = record."batchId" AND batch."ruleId" = ${ruleId}::uuid))`;

/** Those of these emails that a rule leaves alone because they were handled before. */
export const listHandledEmails = async (
  database: Database,
  userId: string,
  rule: ActingRule,
  emailIds: readonly string[],
): Promise<Set<string>> => {
  const rows = await database.$queryRaw<{ emailId: string }[]>`
    SELECT DISTINCT record."emailId" FROM "ActionHistory" AS record
    WHERE record."emailId" = ANY(${emailIds}::text[]) AND ${isHandling(userId, rule)}`;
  return new Set(rows.map(({ emailId }) => emailId));
};

/** Whether an action can concern a cached message, as it is cached. */
const isConcerned = (action: string): Prisma.Sql => {
  if (action === 'archive') return Prisma.sql`message."isInInbox"`;
  return action === 'mark_read' ? Prisma.sql`message."isUnread"` : Prisma.sql`true`;
};

/** Whether a cached message is protected from an action; some reasons only keep it from being cleared away. */
const isProtected = (userId: string, action: string, selection: CleanupSelection): Prisma.Sql => {
  const reason = cachedReason(userId);
  if (!clearsAway(action)) return Prisma.sql`(${reason}) <> 'invitation'`;
  const isReceipt = asksForReceipts({ action, selection })
    ? Prisma.sql`false`
    : Prisma.sql`noticed."isReceipt"`;
  return Prisma.sql`(${reason}) IS NOT NULL OR EXISTS (
    SELECT FROM (${noticedEmails(userId)}) AS noticed
    WHERE noticed."emailId" = message."emailId" AND (noticed."isNotify" OR ${isReceipt}))`;
};

/** Whether a cached message is not among the newest of its sender that a rule leaves alone. */
const isNotKept = (
  userId: string,
  action: string,
  selection: CleanupSelection,
  senders: SenderSources,
): Prisma.Sql =>
  selection.type === 'senders' && selection.keepNewest !== undefined
    ? Prisma.sql`message."emailId" NOT IN (
        SELECT "emailId" FROM (
          SELECT "emailId",
            row_number() OVER (PARTITION BY ${askedSender(senders)} ORDER BY "receivedAt" DESC, "emailId") AS nth
          FROM "CachedMessage" AS message
          WHERE "userId" = ${userId}::uuid AND NOT "isHidden" AND ("isInInbox" OR ${action !== 'archive'})
            AND ${isFrom(senders.keys())}) AS ranked
        WHERE nth <= ${selection.keepNewest})`
    : Prisma.sql`true`;

/**
 * Whether the cache has emails that a rule would act on, as far as the cache can tell; it costs no quota unit.
 *
 * @param senders - what the senders of the selection stand for
 */
export const hasRuleCandidates = async (
  database: Database,
  userId: string,
  rule: ActingRule,
  {
    selection,
    senders,
  }: {
    selection: Extract<CleanupSelection, { type: 'senders' | 'suggestions' | 'any' }>;
    senders: SenderSources;
  },
  nowMs: number,
): Promise<boolean> => {
  const receivedBefore = toReceivedBefore(selection.olderThan, nowMs);
  const toCondition = (): Prisma.Sql => {
    if (selection.type === 'senders') return isFrom(senders.keys());
    if (selection.type === 'suggestions') return hasOpenSuggestion(selection);
    const { classifications, minConfidence } = selection;
    return Prisma.sql`(${isFrom(senders.keys())} OR (${hasOpenSuggestion({ classifications, minConfidence })}))`;
  };
  const isOldEnough =
    receivedBefore === undefined ? Prisma.sql`true` : Prisma.sql`message."receivedAt" < ${receivedBefore}`;
  const rows = await database.$queryRaw<unknown[]>`
    SELECT message."emailId" ${fromCachedEmails(userId, { withProtected: true })}
      AND ${toCondition()} AND ${isOldEnough} AND ${isConcerned(rule.action)}
      AND ${isNotKept(userId, rule.action, selection, senders)}
      AND (${isProtected(userId, rule.action, selection)}) IS NOT TRUE
      AND NOT EXISTS (
        SELECT FROM "ActionHistory" AS record
        WHERE record."emailId" = message."emailId" AND ${isHandling(userId, rule)})
    LIMIT 1`;
  return rows.length > 0;
};
