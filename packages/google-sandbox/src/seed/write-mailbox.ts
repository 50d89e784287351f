import { createHash } from 'node:crypto';
import {
  fullNameOf,
  type MailboxSeed,
  type SeedAttachment,
  type SeedMessage,
  type User,
} from '../mailbox/mailbox-seed.ts';
import { joinConversations, writeReplies } from './conversations.ts';
import { toListHeaders } from './list-headers.ts';
import type { AttachmentKind, MailStream } from './mail-stream.ts';
import { createRandom, type Random } from './random.ts';

const MS_PER_MINUTE = 60_000;
const MS_PER_MONTH = 30.44 * 24 * 60 * MS_PER_MINUTE;
const BYTES_PER_KB = 1_024;
const YEARS_OF_MAIL_IN_MONTHS = 36;
/** Mail of the last weeks has not been archived yet. */
const FRESH_MS = 0.75 * MS_PER_MONTH;
/** How long a reply in a conversation takes at most. */
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
 * @param options.share - how much of each stream reaches this user, 0 to 1
 * @param options.hasCategories - whether mail has labels of categories
 * @param options.unsubscribeOrigin - where one-click addresses lead
 * @param options.seededAtMs - now, for this mailbox; no mail is younger. Milliseconds since 1970
 */
export const writeMailbox = (options: {
  user: User;
  streams: readonly MailStream[];
  share: number;
  hasCategories: boolean;
  seededAtMs: number;
  unsubscribeOrigin?: string | undefined;
}): MailboxSeed => {
  const { user, streams, share, hasCategories, seededAtMs, unsubscribeOrigin } = options;
  const names = [...new Set(streams.flatMap(({ label }) => label ?? []))];
  const labelIds = new Map(names.map((name, index) => [name, `Label_${index + 1}`]));
  const messages = streams.flatMap((stream) => {
    const random = createRandom(`${user.email} ${stream.from}`);
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
      random: createRandom(`${user.email} to ${stream.from}`),
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

const toMessage = (mail: {
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
}): SeedMessage => {
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
    ...toHeaders(stream, `${user.email} ${mail.index}`, mail.unsubscribeOrigin),
  };
};

const toHeaders = (
  { wayOut: way, from }: MailStream,
  name: string,
  origin: string | undefined,
): Pick<SeedMessage, 'headers'> =>
  way === undefined ? {} : { headers: toListHeaders({ way, from, name, origin }) };

/** Sixteen hexadecimal digits, as Gmail's own identifiers; others in a mailbox that begins at another time. */
const toId = (...words: (string | number)[]): string =>
  createHash('sha256').update(words.join('\n')).digest('hex').slice(0, 16);

const chooseLabels = (mail: {
  hasCategories: boolean;
  stream: MailStream;
  random: Random;
  receivedAtMs: number;
  seededAtMs: number;
  labelIds: ReadonlyMap<string, string>;
}): string[] => {
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
