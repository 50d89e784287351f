import type { z } from 'zod';
import { type Place, toPlace } from './labels.ts';
import type { JmapSession } from './protocol/jmap-client.ts';
import { getEmails } from './protocol/jmap-methods.ts';
import { EMAIL_STATE_PROPERTIES, EmailStateSchema } from './protocol/jmap-schemas.ts';
import { sendEach, toChunks } from './protocol/send-each.ts';

/** Most emails in one method call, and most calls in one request: a response stays below a few MB. */
const EMAILS_PER_CALL = 250;
const CALLS_PER_REQUEST = 4;

/** Emails by id as they were in a state, or a moment later. */
export interface ReadEmails<T> {
  /** State of the emails before the first was read; what changes while they are read has a later one. */
  state: string;
  emails: Map<string, T>;
}

/**
 * Reads emails, a few requests after another; those that are gone are left out.
 *
 * @param ids - none reads the state alone
 * @throws {MailboxError}
 */
export const readEmails = async <T extends { id: string }>(
  session: JmapSession,
  record: z.ZodType<T>,
  args: { properties: readonly string[]; bodyProperties?: readonly string[] },
  ids: readonly string[],
): Promise<ReadEmails<T>> => {
  const { limits } = session;
  const chunks = toChunks(ids, Math.min(EMAILS_PER_CALL, limits.maxObjectsInGet), limits);
  const parts = chunks.length === 0 ? [[]] : chunks;
  const calls = parts.map((part) => getEmails(record, { ...args, ids: part }));
  const responses = await sendEach(session, calls, CALLS_PER_REQUEST);
  return {
    state: responses[0]?.state ?? '',
    emails: new Map(responses.flatMap(({ list }) => list.map((email) => [email.id, email] as const))),
  };
};

/** Where emails are and how they are marked. @throws {MailboxError} */
export const readPlaces = async (
  session: JmapSession,
  ids: readonly string[],
): Promise<ReadEmails<Place>> => {
  const { state, emails } = await readEmails(
    session,
    EmailStateSchema,
    { properties: EMAIL_STATE_PROPERTIES },
    ids,
  );
  return { state, emails: new Map([...emails].map(([id, email]) => [id, toPlace(email)])) };
};
