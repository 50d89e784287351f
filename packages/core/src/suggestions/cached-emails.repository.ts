import { Prisma } from '@mailsweep/database';
import type { AcceptanceModel } from '../learning/acceptance.ts';
import { joinAcceptance } from '../learning/learned-acceptance.repository.ts';
import { stoppedActions } from '../learning/stopped-suggestion.repository.ts';
import { cachedReason, hasNotice } from '../protections/cached-protection.repository.ts';

const STORED = Prisma.sql`stored."suggestions"`;

/** What may be suggested for a message, in view of its protection. */
const allowed = (userId: string): Prisma.Sql => Prisma.sql`
  CASE WHEN message."senderKey" = '' THEN '[]' WHEN stored."emailId" IS NULL OR ((${cachedReason(userId)}) IS NULL AND NOT ${hasNotice(STORED)}) THEN ${STORED}
    ELSE ${withoutClearing(STORED)} END`;

/** Suggestions that neither archive nor delete. */
const withoutClearing = (suggestions: Prisma.Sql): Prisma.Sql => Prisma.sql`
  jsonb_path_query_array(${suggestions}, '$[*] ? (@."action" != "archive" && @."action" != "delete")')`;

/** Without the actions that are no longer suggested for the sender. */
const withoutStopped = (suggestions: Prisma.Sql): Prisma.Sql => Prisma.sql`
  CASE WHEN stop."actions" IS NULL THEN ${suggestions}
    ELSE jsonb_path_query_array(${suggestions}, '$[*] ? (!(@."action" == $stopped[*]))',
      jsonb_build_object('stopped', stop."actions")) END`;

/**
 * Cached messages with their open suggestions: null for none. A stored suggestion stays open until the user confirms it
 * and does not take that back. Not suggested: to archive email outside the inbox, to clear away protected email, and what
 * the user has often rejected, and anything where the sender is unclear.
 *
 * `open` has the suggestions of an email, best first, and `action`, `classification` and `confidence` of the best one.
 *
 * @param options.withProtected - with the suggestions that protection withholds
 * @param options.model - adds the probability that the user accepts the best suggestion, as `learned."acceptance"`
 */
export const fromCachedEmails = (
  userId: string,
  options: { withProtected?: boolean; model?: AcceptanceModel } = {},
): Prisma.Sql => Prisma.sql`
  FROM "CachedMessage" AS message
  LEFT JOIN (
    SELECT stored."emailId", stored."suggestions" FROM "EmailSuggestion" AS stored
    WHERE stored."userId" = ${userId}::uuid AND NOT EXISTS (
      SELECT FROM "ActionHistory" AS confirmation
      WHERE confirmation."userId" = ${userId}::uuid AND confirmation."emailId" = stored."emailId"
        AND confirmation."source" = 'suggestions' AND confirmation."undoneAt" IS NULL
        AND confirmation."timestamp" >= stored."generatedAt")
  ) AS stored ON stored."emailId" = message."emailId"
  LEFT JOIN (${stoppedActions(userId)}) AS stop ON stop."senderKey" = message."senderKey"
  -- Without OFFSET 0, the database works the expressions out again wherever they are used.
  LEFT JOIN LATERAL (
    SELECT shown.*, "suggestions"->0->>'action' AS "action", "suggestions"->0->>'classification' AS "classification",
      ("suggestions"->0->>'confidence_score')::float8 AS "confidence"
    FROM (
      SELECT stored."emailId", ${withoutStopped(options.withProtected ? STORED : allowed(userId))} AS "suggestions"
      OFFSET 0
    ) AS shown
    OFFSET 0
  ) AS open ON open."action" <> 'archive' OR (open."action" IS NOT NULL AND message."isInInbox")
  ${options.model === undefined ? Prisma.empty : joinAcceptance(userId, options.model)}
  WHERE message."userId" = ${userId}::uuid AND NOT message."isHidden"`;
