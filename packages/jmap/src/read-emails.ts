import type { z } from 'zod';
import { type Place, toPlace } from './labels.ts';
import { type AccountMailboxes, getAllMailboxes, noteMailboxes } from './mailboxes.ts';
import type { JmapSession } from './protocol/jmap-client.ts';
import { getEmails } from './protocol/jmap-methods.ts';
import { EMAIL_STATE_PROPERTIES, EmailStateSchema, type JmapMailboxRecord } from './protocol/jmap-schemas.ts';
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

const toCalls = <T extends { id: string }>(
  { limits }: JmapSession,
  record: z.ZodType<T>,
  args: { properties: readonly string[]; bodyProperties?: readonly string[] },
  ids: readonly string[],
) => {
  const chunks = toChunks(ids, Math.min(EMAILS_PER_CALL, limits.maxObjectsInGet), limits);
  const parts = chunks.length === 0 ? [[]] : chunks;
  return parts.map((part) => getEmails(record, { ...args, ids: part }));
};

const toRead = <T extends { id: string }>(
  responses: readonly { state: string; list: T[] }[],
): ReadEmails<T> => ({
  state: responses[0]?.state ?? '',
  emails: new Map(responses.flatMap(({ list }) => list.map((email) => [email.id, email] as const))),
});

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
  return toRead(await sendEach(session, toCalls(session, record, args, ids), CALLS_PER_REQUEST));
};

/**
 * Reads emails with the mailboxes as they are after the state of the emails, in as many requests as without.
 *
 * @throws {MailboxError}
 */
export const readEmailsAndMailboxes = async <T extends { id: string }>(
  session: JmapSession,
  record: z.ZodType<T>,
  args: { properties: readonly string[] },
  ids: readonly string[],
): Promise<ReadEmails<T> & { mailboxes: AccountMailboxes }> => {
  const [first, ...rest] = toCalls(session, record, args, ids);
  const calls = [...(first === undefined ? [] : [first]), getAllMailboxes(), ...rest];
  type Response = { state: string; list: (T | JmapMailboxRecord)[] };
  const responses = await sendEach<Response>(session, calls, CALLS_PER_REQUEST + 1);
  const [ofMailboxes] = responses.splice(1, 1);
  const read = toRead(responses as { state: string; list: T[] }[]);
  const list = (ofMailboxes?.list ?? []) as JmapMailboxRecord[];
  return { ...read, mailboxes: noteMailboxes(session, list, read.state) };
};

/** The present state of the emails. @throws {MailboxError} */
export const readEmailState = async (session: JmapSession): Promise<string> => {
  const { state } = await readEmails(session, EmailStateSchema, { properties: ['id'] }, []);
  return state;
};

/** Where emails are and how they are marked, with the mailboxes. @throws {MailboxError} */
export const readPlaces = async (
  session: JmapSession,
  ids: readonly string[],
): Promise<ReadEmails<Place> & { mailboxes: AccountMailboxes }> => {
  const args = { properties: EMAIL_STATE_PROPERTIES };
  const { state, emails, mailboxes } = await readEmailsAndMailboxes(session, EmailStateSchema, args, ids);
  return { state, mailboxes, emails: new Map([...emails].map(([id, email]) => [id, toPlace(email)])) };
};
