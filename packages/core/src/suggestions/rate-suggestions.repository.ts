import type { StoredSuggestion, Suggestion } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { readAcceptanceModel } from '../learning/learned-acceptance.repository.ts';
import { rateBest } from '../learning/rate-best.ts';
import { fromCachedEmails } from './cached-emails.repository.ts';

/** What is confirmed for an email. */
export interface RatedEmail {
  suggestions: StoredSuggestion[];
  /** The sender's id: 64 hexadecimal digits; undefined where the email is not cached. */
  senderId: string | undefined;
}

/** Gives the best suggestion of each cached email the probability that the user accepts it, where it is shown. */
export const rateSuggestions = async (
  database: Database,
  userId: string,
  suggestions: ReadonlyMap<string, Suggestion[]>,
): Promise<Map<string, RatedEmail>> => {
  const model = await readAcceptanceModel(database, userId);
  const emailIds = [...suggestions.keys()];
  const rows = await database.$queryRaw<{ emailId: string; senderId: string; acceptance: number | null }[]>`
    SELECT message."emailId", encode(message."senderKey", 'hex') AS "senderId",
      CASE WHEN open."emailId" IS NOT NULL THEN learned."acceptance" END AS "acceptance"
    ${fromCachedEmails(userId, { model })} AND message."emailId" = ANY(${emailIds}::text[])`;
  const known = new Map(rows.map((row) => [row.emailId, row]));
  return new Map(
    [...suggestions].map(([emailId, list]) => {
      const { acceptance, senderId } = known.get(emailId) ?? {};
      return [emailId, { suggestions: rateBest(list, acceptance), senderId }];
    }),
  );
};
