import type { Database } from '@mailsweep/database';
import type { EmailIdQuery, EmailRef, Mailbox } from '@mailsweep/mail/mailbox';
import { readMessageText, type TextCipher, toSenderAddress } from '@mailsweep/mail/message-cache';
import { NO_LIMIT, type SenderReason } from '../protections/cached-protection.repository.ts';
import { isSearchable } from '../protections/list-emails-from.ts';
import { listCachedIds, listSurveyTexts } from './survey.repository.ts';

/** Emails of a sender that are read before the others are taken to be the sender's, too. */
const SAMPLE_SIZE = 20;
/** Samples in a row that may show other senders. */
const MAX_SAMPLES = 5;

/** A sender of whom a survey has listed more emails than were read. */
export interface ListedSender {
  address: string;
  /** Why its emails are protected. */
  reason: SenderReason | null;
  /** Addresses of senders whose emails a search for the address finds, too, as far as they are known. */
  lookAlikes: string[];
}

/** Runs of letters and digits, in lower case: providers search for words, whatever is between them. */
const toWordText = (text: string): string =>
  ` ${text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join(' ')} `;

/**
 * Whether a search for an address may also find the emails of another sender: the address is in its name, or is a part of
 * its address.
 *
 * @param from - the other sender's header `From`
 */
export const isLookAlike = (address: string, from: string): boolean =>
  from.toLowerCase().includes(address) || toWordText(from).includes(toWordText(address));

/** So many of a list, spread evenly over it; another `round` gets others. */
export const pickEvenly = <T>(list: readonly T[], count: number, round: number): T[] => {
  const most = Math.min(count, list.length);
  const offset = (round * 0.618) % 1;
  return Array.from({ length: most }, (_, index) =>
    list.at(Math.floor(((index + offset) * list.length) / most)),
  ).filter((item) => item !== undefined);
};

/** Those of these senders of whom more was listed than read. */
export const findSurveyedSenders = async (
  { database, cipher }: { database: Database; cipher: TextCipher },
  userId: string,
  senders: readonly string[],
): Promise<ListedSender[]> => {
  const rows = await listSurveyTexts(database, userId, senders);
  const known = rows.flatMap(({ emailId, encryptedText, ...row }) => {
    const from = readMessageText(cipher, userId, emailId, encryptedText)?.from;
    return from === undefined ? [] : [{ ...row, from, address: toSenderAddress(from) }];
  });
  return known
    .filter(({ isWanted, address }) => isWanted && isSearchable(address))
    .map(({ address, reason }) => ({
      address,
      reason,
      lookAlikes: known
        .filter((other) => other.address !== address && isLookAlike(address, other.from))
        .map((other) => other.address),
    }));
};

/**
 * Lists the emails of a sender that are not cached. The search finds those of look-alikes, too: known ones are excluded by a
 * list of theirs, unknown ones show in a sample of what is left, which is read until all of one is the sender's.
 *
 * @returns none, and not complete, where every sample has others
 * @throws MailboxError when the mailbox can't be read
 */
export const listUncachedEmails = async (
  database: Database,
  mailbox: Mailbox,
  userId: string,
  { address, lookAlikes }: ListedSender,
  query: EmailIdQuery,
): Promise<{ emails: EmailRef[]; isComplete: boolean }> => {
  let { emails } = await mailbox.listEmailIds({ ...query, from: [address] }, NO_LIMIT);
  let others = lookAlikes;
  for (let round = 0; round < MAX_SAMPLES; round += 1) {
    const from = others.filter(isSearchable);
    const excluded =
      from.length === 0 ? [] : (await mailbox.listEmailIds({ ...query, from }, NO_LIMIT)).emails;
    await leaveOut(excluded.map(({ id }) => id));
    const picked = pickEvenly(emails, SAMPLE_SIZE, round).map(({ id }) => id);
    const sample = await mailbox.findEmails(picked);
    // What was read is selected by what is cached of it; what is gone is not there any more.
    await leaveOut(picked);
    others = sample
      .map((email) => (email.isSenderUnclear ? '' : toSenderAddress(email.from)))
      .filter((other) => other !== address);
    if (others.length === 0) return { emails, isComplete: true };
  }
  return { emails: [], isComplete: false };

  async function leaveOut(ids: readonly string[]): Promise<void> {
    const left = new Set(ids);
    const rest = emails.filter(({ id }) => !left.has(id));
    const cached = await listCachedIds(
      database,
      userId,
      rest.map(({ id }) => id),
    );
    emails = rest.filter(({ id }) => !cached.has(id));
  }
};
