import { type Email, type EmailCategory, SURVEY_AGES, type SurveyCount } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { type EmailIdQuery, type Mailbox, SYSTEM_LABELS } from '@mailsweep/mail/mailbox';
import { type OpenMessageStore, toSenderAddress } from '@mailsweep/mail/message-cache';
import type { MlClient } from '@mailsweep/ml-client';
import type { Logger } from '@mailsweep/service-kit';
import { NO_LIMIT } from '../protections/cached-protection.repository.ts';
import { isSearchable } from '../protections/list-emails-from.ts';
import { saveSuggestions } from '../suggestions/email-suggestion.repository.ts';
import { findOpenSuggestions } from '../suggestions/suggest-actions.ts';
import {
  listCachedSenders,
  listSurveyedBy,
  type SurveyedSender,
  type SurveyProgress,
  saveSurvey,
} from './survey.repository.ts';
import { isLookAlike, pickEvenly } from './surveyed-senders.ts';

/** The largest senders, whose emails are counted exactly. */
const LARGEST_SENDERS = 50;
/** Most emails that are read to find senders, at 20 quota units each. */
const MAX_SAMPLE = 160;
/** Emails read at once: the more there are, the more of them are of one sender. */
const ROUND = 3;
/** Rounds in a row without one of the largest senders after which there hardly is another. */
const MAX_QUIET_ROUNDS = 13;
/** The largest senders of which further emails are read, and how many of each: to see look-alikes, and what can go. */
const SAMPLED_SENDERS = 12;
const SAMPLE_OF_SENDER = 2;
/** Most senders that are taken from what is cached, at five quota units each. */
const MAX_CACHED_SENDERS = 100;

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Where each age ends, in days; the last one does not. */
const AGE_DAYS = [30, 365, 1_095] as const;
/** The first age of more than a year. */
const OLDER_THAN_YEAR = SURVEY_AGES.indexOf('three_years');

/** What lists tell of an email. */
interface ListedEmail {
  category: EmailCategory;
  age: number;
  isUnread: boolean;
  isInInbox: boolean;
}

interface ListedSender {
  address: string;
  /** The header of an email that was read. */
  from: string;
  emailId: string;
  /** All that the search for the address finds. */
  found: Set<string>;
}

/** The ages as ranges of whole seconds, which providers compare exactly, the newest first. */
const toRanges = (nowMs: number): Pick<EmailIdQuery, 'receivedAfter' | 'receivedBefore'>[] => {
  const ends = AGE_DAYS.map((days) => new Date(Math.floor((nowMs - days * DAY_MS) / 1_000) * 1_000));
  return SURVEY_AGES.map((_, age) => ({ receivedBefore: ends[age - 1], receivedAfter: ends[age] }));
};

const countEmails = (emails: Iterable<ListedEmail>): SurveyCount[] => {
  const counts = new Map<string, SurveyCount>();
  for (const { category, age, isUnread, isInInbox } of emails) {
    const key = `${category} ${age}`;
    const count = counts.get(key) ?? {
      category,
      age: SURVEY_AGES[age] ?? 'older',
      total: 0,
      unread: 0,
      inInbox: 0,
    };
    count.total += 1;
    if (isUnread) count.unread += 1;
    if (isInInbox) count.inInbox += 1;
    counts.set(key, count);
  }
  return [...counts.values()];
};

/** The emails of each sender: an email that two searches find is that of the sender whom the other's address only resembles. */
const separateLookAlikes = (senders: readonly ListedSender[]): Map<ListedSender, string[]> =>
  new Map(
    senders.map((sender) => {
      const others = senders.filter(
        (other) =>
          other !== sender && (isLookAlike(sender.address, other.from) || sender.found.has(other.emailId)),
      );
      return [sender, [...sender.found].filter((id) => others.every(({ found }) => !found.has(id)))];
    }),
  );

/**
 * Surveys a mailbox (docs/decisions/030): counts its emails by lists of ids, and finds its largest senders, reading one
 * email of each. What is found is stored as it comes; a survey whose process dies begins again.
 *
 * An email whose sender is not known yet is read, and all emails of that sender are listed by a search. As the next email is
 * picked among those of no listed sender, the largest senders are found first, whatever the size of the mailbox.
 *
 * @param options.total - emails of the mailbox, by the provider's totals
 * @param options.startedAt - by the clock of the database
 * @param options.isRepeated - counts the known senders again, and looks for no others
 * @returns whether the scan is still in flight
 * @throws MailboxError when the mailbox can't be read
 */
export const surveyMailbox = async (
  dependencies: {
    database: Database;
    openMessageStore: OpenMessageStore;
    mlClient: MlClient;
    logger: Logger;
    nowMs: () => number;
  },
  scan: { id: string; userId: string },
  options: {
    mailbox: Mailbox;
    unitsUsed: () => number;
    total: number;
    startedAt: Date;
    isRepeated: boolean;
  },
): Promise<boolean> => {
  const { database, nowMs } = dependencies;
  const { mailbox, isRepeated } = options;
  const { userId } = scan;
  const emails = new Map<string, ListedEmail>();
  const senders: ListedSender[] = [];
  /** Emails of which no sender is looked for. */
  const attributed = new Set<string>();

  const save = (progress: Pick<SurveyProgress, 'unlisted' | 'isFinished'>): Promise<boolean> =>
    saveSurvey(database, scan, {
      ...progress,
      total: Math.max(options.total, emails.size),
      counts: countEmails(emails.values()),
      senders: [...separateLookAlikes(senders)].map(([sender, ids]) => countSender(sender, ids)),
      unitsUsed: options.unitsUsed(),
      startedAt: options.startedAt,
    });

  const { categories } = await mailbox.readCapabilities();
  for (const [age, range] of toRanges(nowMs()).entries()) {
    await (age === 0 ? listNewest(range) : listAge(age, range));
    if (!isRepeated && !(await save({ unlisted: null, isFinished: false }))) return false;
  }
  await listCached();
  let rest = listOthers();
  for (let round = 0, quiet = 0; !isRepeated && round * ROUND < MAX_SAMPLE; round += 1) {
    const smallest = sizeOfLargest();
    if (rest.length <= smallest || quiet >= MAX_QUIET_ROUNDS) break;
    const known = senders.length;
    await readSenders(pickEvenly(rest, ROUND, round));
    quiet = senders.slice(known).some(({ found }) => found.size > smallest) ? 0 : quiet + 1;
    if (!(await save({ unlisted: rest.length, isFinished: false }))) return false;
    rest = listOthers();
  }
  if (!isRepeated) {
    await readSenders(pickOfLargest());
    rest = listOthers();
  }
  return await save({ unlisted: rest.length, isFinished: true });

  /** Lists the few emails of the newest age, which is on screen first, by as few lists as tell what is counted of them. */
  async function listNewest(range: Partial<EmailIdQuery>): Promise<void> {
    const list = (query: Partial<EmailIdQuery>) =>
      mailbox.listEmailIds({ ...range, scope: 'all', ...query }, NO_LIMIT);
    const [unread, inbox, ...lists] = await Promise.all([
      list({ unread: true }).then(toIds),
      list({ scope: 'inbox' }).then(toIds),
      ...categories.map(async (category) => ({ category, ids: toIds(await list({ category })) })),
    ]);
    for (const { category, ids } of lists) {
      for (const id of ids) {
        if (emails.has(id)) continue;
        emails.set(id, { category, age: 0, isUnread: unread.has(id), isInInbox: inbox.has(id) });
      }
    }
  }

  /** Lists emails by all that is counted of them: each costs its share of a page once, however many there are. */
  async function listAge(age: number, range: Partial<EmailIdQuery>): Promise<void> {
    const kinds = categories.flatMap((category) =>
      [true, false].flatMap((isUnread) =>
        [true, false].map((isInInbox) => ({ category, age, isUnread, isInInbox })),
      ),
    );
    const lists = await Promise.all(
      kinds.map(async (kind) => {
        const { category, isUnread, isInInbox } = kind;
        const without = [...(isInInbox ? [] : ['inbox' as const]), ...(isUnread ? [] : ['unread' as const])];
        const scope = isInInbox ? 'inbox' : 'all';
        const query = { ...range, scope, category, unread: isUnread || undefined, without } as const;
        return { kind, ...(await mailbox.listEmailIds(query, NO_LIMIT)) };
      }),
    );
    const isKnown = new Set<string>();
    // An email of two categories counts for the first; ranges overlap by a second, in which the older one is right.
    for (const { kind, emails: listed } of lists) {
      for (const { id } of listed) {
        if (isKnown.has(id)) continue;
        isKnown.add(id);
        emails.set(id, kind);
      }
    }
  }

  async function listCached(): Promise<void> {
    const ids = isRepeated
      ? await listSurveyedBy(database, userId)
      : await listCachedSenders(database, userId, MAX_CACHED_SENDERS);
    const snapshot = await dependencies.openMessageStore(userId).readMessages(ids);
    const cached = [...(snapshot?.cached.values() ?? [])];
    await Promise.all(cached.map(({ id, facts }) => listSender(id, facts.from)));
  }

  /** Emails of no listed sender. */
  function listOthers(): string[] {
    return [...emails.keys()].filter((id) => !attributed.has(id));
  }

  /** Emails of the smallest of the largest senders; of a smaller mailbox all senders are. */
  function sizeOfLargest(): number {
    const sizes = senders.map(({ found }) => found.size).toSorted((one, other) => other - one);
    return sizes[LARGEST_SENDERS - 1] ?? 0;
  }

  function pickOfLargest(): string[] {
    const bySize = [...separateLookAlikes(senders).values()].toSorted(
      (one, other) => other.length - one.length,
    );
    return bySize.slice(0, SAMPLED_SENDERS).flatMap((ids) => pickEvenly(ids, SAMPLE_OF_SENDER, 0));
  }

  async function readSenders(ids: readonly string[]): Promise<void> {
    for (const id of ids) attributed.add(id);
    const read = await mailbox.findEmails(ids);
    const ofOthers = read.filter(({ labels }) => !labels.includes(SYSTEM_LABELS.sent));
    if (ofOthers.length < read.length) {
      for (const id of toIds(await mailbox.listEmailIds({ scope: 'all', labelled: 'sent' }, NO_LIMIT))) {
        attributed.add(id);
      }
    }
    const named = new Map(
      ofOthers
        .filter(({ isSenderUnclear }) => !isSenderUnclear)
        .map((email) => [toSenderAddress(email.from), email]),
    );
    await Promise.all([
      classify(ofOthers),
      ...[...named.values()].map(({ id, from }) => listSender(id, from)),
    ]);
  }

  async function listSender(emailId: string, from: string): Promise<void> {
    const address = toSenderAddress(from);
    if (!isSearchable(address) || senders.some((known) => known.address === address)) return;
    const sender = { address, from, emailId, found: new Set<string>([emailId]) };
    senders.push(sender);
    const listed = await mailbox.listEmailIds({ scope: 'all', from: [address] }, NO_LIMIT);
    for (const { id } of listed.emails) {
      if (!emails.has(id)) continue;
      sender.found.add(id);
      attributed.add(id);
    }
  }

  /** What is suggested for the sample tells what can go of each sender; the scan classifies the rest. */
  async function classify(read: Email[]): Promise<void> {
    if (read.length === 0) return;
    const suggested = await findOpenSuggestions(dependencies, userId, read, scan.id);
    if (suggested !== null) await saveSuggestions(database, userId, suggested, new Date(nowMs()));
  }

  function countSender({ emailId }: ListedSender, ids: readonly string[]): SurveyedSender {
    const listed = ids.flatMap((id) => emails.get(id) ?? []);
    return {
      emailId,
      mails: listed.length,
      inInbox: listed.filter(({ isInInbox }) => isInInbox).length,
      unread: listed.filter(({ isUnread }) => isUnread).length,
      olderThanYear: listed.filter(({ age }) => age >= OLDER_THAN_YEAR).length,
    };
  }
};

const toIds = ({ emails }: { emails: readonly { id: string }[] }): Set<string> =>
  new Set(emails.map(({ id }) => id));
