import { createHash } from 'node:crypto';
import {
  fullNameOf,
  type MailboxSeed,
  type SeedAttachment,
  type SeedMessage,
  type User,
} from '../mailbox/mailbox-seed.ts';
import { toListHeaders } from './list-headers.ts';
import type { AttachmentKind, MailStream } from './mail-stream.ts';

/** A source of chance that gives the same numbers for the same word, on every machine. */
interface Random {
  /** From 0 up to but not including 1. */
  next(): number;
  /** A whole number, both ends included. */
  between(lowest: number, highest: number): number;
  /** True in the given share of cases, 0 to 1. */
  chance(share: number): boolean;
  pick<T>(items: readonly T[]): T;
}

/** FNV-1a, 32 bits: spreads words over the numbers. */
const hash = (word: string): number => {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(word, 'utf8')) value = Math.imul(value ^ byte, 0x01000193);
  return value >>> 0;
};

/** Makes a source of chance (mulberry32) from a word. */
const createRandom = (word: string): Random => {
  let state = hash(word);
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (lowest: number, highest: number): number =>
    lowest + Math.floor(next() * (highest - lowest + 1));
  return {
    next,
    between,
    chance: (share) => next() < share,
    pick: (items) => {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new Error('There is nothing to pick from.');
      return item;
    },
  };
};

const MS_PER_MINUTE = 60_000;
const MAX_OWN_REPLY_MINUTES = 600;

/** Mails of one stream by conversation, oldest first. */
const toConversations = (mails: readonly SeedMessage[]): Map<string, SeedMessage[]> =>
  Map.groupBy(mails, ({ threadId }) => threadId);

/**
 * What the user wrote back to a stream: as Gmail files it, in the same conversation under SENT alone.
 *
 * @param latestMs - no reply is younger. Milliseconds since 1970
 */
const writeReplies = (
  mails: readonly SeedMessage[],
  options: {
    user: User;
    stream: MailStream;
    random: Random;
    toId: (name: string) => string;
    latestMs: number;
  },
): SeedMessage[] => {
  const { user, stream, random, toId, latestMs } = options;
  return [...toConversations(mails)].flatMap(([threadId, conversation]) => {
    const last = conversation.at(-1);
    if (last === undefined || !random.chance(stream.replied ?? 0)) return [];
    const writtenAtMs = last.receivedAtMs + random.between(5, MAX_OWN_REPLY_MINUTES) * MS_PER_MINUTE;
    return {
      ...last,
      id: toId(`answer in ${threadId}`),
      from: `${fullNameOf(user)} <${user.email}>`,
      to: last.from,
      text: 'Thank you, that suits me well.',
      labels: ['SENT'],
      receivedAtMs: Math.min(writtenAtMs, latestMs),
      attachments: [],
    };
  });
};

/** Joins conversations as Gmail does: their id is that of the first message, and the others repeat its subject. */
const joinConversations = (messages: readonly SeedMessage[]): SeedMessage[] =>
  [...toConversations(messages).values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const subject = `Re: ${first.subject.replace(/^Re: /, '')}`;
    return [
      { ...first, threadId: first.id },
      ...others.map((message) => ({ ...message, threadId: first.id, subject })),
    ];
  });

const MS_PER_MONTH = 30.44 * 24 * 60 * MS_PER_MINUTE;
const BYTES_PER_KB = 1_024;
const YEARS_OF_MAIL_IN_MONTHS = 36;
/** Mail of the last weeks has not been archived yet. */
const FRESH_MS = 0.75 * MS_PER_MONTH;
const MAX_REPLY_MINUTES = 2_000;
/** Most that Gmail carries in one mail. */
const MAX_ATTACHMENTS_BYTES = 25 * 1_024 * BYTES_PER_KB;
const CATEGORY_LABELS = {
  promotions: 'CATEGORY_PROMOTIONS',
  social: 'CATEGORY_SOCIAL',
  updates: 'CATEGORY_UPDATES',
  forums: 'CATEGORY_FORUMS',
  primary: 'CATEGORY_PERSONAL',
} as const;

/**
 * Writes a user's mailbox: the same for the same user, streams and instant.
 *
 * @param options.like - whose mailbox it is a copy of, but for addresses and ids
 * @param options.share - how much of each stream reaches this user, 0 to 1
 * @param options.hasCategories - whether mail has labels of categories
 * @param options.unsubscribeOrigin - where one-click addresses lead
 * @param options.seededAtMs - now, for this mailbox; no mail is younger. Milliseconds since 1970
 */
export const writeMailbox = (options: {
  user: User;
  like?: User;
  streams: readonly MailStream[];
  share: number;
  hasCategories: boolean;
  seededAtMs: number;
  unsubscribeOrigin?: string | undefined;
}): MailboxSeed => {
  const { user, like = user, streams, share, hasCategories, seededAtMs, unsubscribeOrigin } = options;
  const names = [...new Set(streams.flatMap(({ label }) => label ?? []))];
  const labelIds = new Map(names.map((name, index) => [name, `Label_${index + 1}`]));
  const messages = streams.flatMap((stream) => {
    const random = createRandom(`${like.email} ${stream.from}`);
    const mails = arrivalsOf(stream, { random, share, seededAtMs }).map(({ receivedAtMs, thread }, index) => {
      const subject = fill(random.pick(stream.subjects), stream, random, receivedAtMs);
      return toMessage({
        user,
        hasCategories,
        stream,
        random,
        receivedAtMs,
        seededAtMs,
        labelIds,
        index,
        unsubscribeOrigin,
        thread,
        subject,
      });
    });
    const replies = writeReplies(mails, {
      user,
      stream,
      random: createRandom(`${like.email} to ${stream.from}`),
      toId: (name) => toId(user.email, stream.from, name, seededAtMs),
      latestMs: seededAtMs - MS_PER_MINUTE,
    });
    return [...mails, ...replies];
  });
  return {
    user,
    labels: names.map((name) => ({ id: labelIds.get(name) ?? name, name })),
    messages: joinConversations(messages),
  };
};

interface Arrival {
  receivedAtMs: number;
  /** Number of the conversation within the stream. */
  thread: number;
}

const arrivalsOf = (
  stream: MailStream,
  { random, share, seededAtMs }: { random: Random; share: number; seededAtMs: number },
): Arrival[] => {
  const [first, last] = stream.monthsAgo ?? [YEARS_OF_MAIL_IN_MONTHS, 0];
  const count = Math.round((first - last) * stream.perMonth * share);
  const arrivals: Arrival[] = [];
  for (let thread = 0; arrivals.length < count; thread += 1) {
    const length = Math.min(random.between(1, stream.threadLength ?? 1), count - arrivals.length);
    let receivedAtMs = seededAtMs - (last + random.next() * (first - last)) * MS_PER_MONTH;
    for (let position = 0; position < length; position += 1) {
      arrivals.push({ receivedAtMs: Math.min(Math.floor(receivedAtMs), seededAtMs - MS_PER_MINUTE), thread });
      receivedAtMs += random.between(5, MAX_REPLY_MINUTES) * MS_PER_MINUTE;
    }
  }
  return arrivals;
};

/** One mail of a stream, as it is to be written. */
interface Mail {
  user: User;
  hasCategories: boolean;
  stream: MailStream;
  random: Random;
  receivedAtMs: number;
  seededAtMs: number;
  labelIds: ReadonlyMap<string, string>;
  index: number;
  thread: number;
  subject: string;
  unsubscribeOrigin: string | undefined;
}

const toMessage = (mail: Mail): SeedMessage => {
  const { user, stream, random, receivedAtMs } = mail;
  const [smallestKb, largestKb] = stream.bodyKb;
  return {
    id: toId(user.email, stream.from, `mail ${mail.index}`, mail.seededAtMs),
    threadId: toId(user.email, stream.from, `thread ${mail.thread}`, mail.seededAtMs),
    from: stream.folder === 'DRAFT' ? `${fullNameOf(user)} <${user.email}>` : stream.from,
    to: user.email,
    subject: mail.subject,
    text: fill(random.pick(stream.texts), stream, random, receivedAtMs),
    labels: chooseLabels(mail),
    receivedAtMs,
    bodySizeBytes: random.between(smallestKb * BYTES_PER_KB, largestKb * BYTES_PER_KB),
    attachments: chooseAttachments(stream, random),
    ...(stream.wayOut && {
      headers: toListHeaders({
        way: stream.wayOut,
        from: stream.from,
        name: `${user.email} ${mail.index}`,
        origin: mail.unsubscribeOrigin,
      }),
    }),
  };
};

/** Sixteen hexadecimal digits, as Gmail's own identifiers; others in a mailbox that begins at another time. */
const toId = (...words: (string | number)[]): string =>
  createHash('sha256').update(words.join('\n')).digest('hex').slice(0, 16);

const chooseLabels = (mail: Mail): string[] => {
  const { stream, random, receivedAtMs, seededAtMs, labelIds } = mail;
  if (stream.folder === 'DRAFT' || stream.folder === 'CHAT') return [stream.folder];
  const isFresh = seededAtMs - receivedAtMs < FRESH_MS;
  const isArchived = random.chance(stream.archived ?? 0) && !isFresh;
  const isRead = random.chance(isFresh ? stream.read / 2 : stream.read);
  const isStarred = random.chance(stream.starred ?? 0);
  // Half of the personal mail carries no category at all, as in mailboxes from before categories.
  const hasCategory = (stream.category !== 'primary' || random.chance(0.5)) && mail.hasCategories;
  const labelId = stream.label === undefined ? undefined : labelIds.get(stream.label);
  return [
    ...(stream.folder ? [stream.folder] : isArchived ? [] : ['INBOX']),
    ...(isRead ? [] : ['UNREAD']),
    ...(isStarred ? ['STARRED'] : []),
    ...(hasCategory ? [CATEGORY_LABELS[stream.category]] : []),
    ...(labelId === undefined ? [] : [labelId]),
  ];
};

const chooseAttachments = ({ attachments }: MailStream, random: Random): SeedAttachment[] => {
  if (attachments === undefined || !random.chance(attachments.share)) return [];
  const kinds = new Set<AttachmentKind>([random.pick(attachments.kinds)]);
  if (random.chance(0.25)) kinds.add(random.pick(attachments.kinds));
  let roomBytes = MAX_ATTACHMENTS_BYTES;
  return [...kinds].flatMap(({ filename, mimeType, sizeKb: [smallest, largest], isInline = false }) => {
    const sizeBytes = random.between(smallest * BYTES_PER_KB, largest * BYTES_PER_KB);
    if (sizeBytes > roomBytes) return [];
    roomBytes -= sizeBytes;
    return [{ filename, mimeType, sizeBytes, isInline }];
  });
};

const fill = (template: string, stream: MailStream, random: Random, receivedAtMs: number): string =>
  template
    .replaceAll('{n}', () => String(random.between(2, 60)))
    .replaceAll('{amount}', () => `€${random.between(5, 480)}.${random.pick(['00', '50', '90', '99'])}`)
    .replaceAll('{item}', () => random.pick(stream.items ?? ['you']))
    .replaceAll('{month}', () =>
      new Date(receivedAtMs).toLocaleString(stream.locale ?? 'en', { month: 'long', timeZone: 'UTC' }),
    );
