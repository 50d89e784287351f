import { BYTES_PER_MB, type Email, EmailSchema, readAuthors } from '@mailsweep/contracts';
import { z } from 'zod';
import { SYSTEM_LABELS, toCategory } from '../labels.ts';
import { AuthenticationSchema, readAuthentication } from './authentication.ts';
import { findHeader, findHeaders, type MessageHeader } from './header-text.ts';
import { isOfDiscussion, readUnsubscribeOffer, UnsubscribeOfferSchema } from './unsubscribe-offer.ts';

/** The last instant whose ISO 8601 form has a four-digit year. */
const LAST_INSTANT_MS = Date.UTC(10_000, 0, 1) - 1;

/** When a message was received, of milliseconds since 1970; what is no such instant reads as 1970. */
export const toInstant = (epochMs: number): Date =>
  new Date(epochMs >= 0 && epochMs <= LAST_INSTANT_MS ? epochMs : 0);

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * When a message says that it was sent (RFC 5322, 3.6.1), where that is more than a day from when it was received, as after
 * a migration (LogicLabs-OU/OpenArchiver#250).
 *
 * @param date - the raw header
 */
export const readSentAt = (date: string | null | undefined, receivedAt: Date): Date | undefined => {
  const sentMs = Date.parse((date ?? '').slice(0, 100));
  const isFar = Math.abs(sentMs - receivedAt.getTime()) > DAY_MS;
  return isFar && sentMs >= 0 && sentMs <= LAST_INSTANT_MS ? new Date(sentMs) : undefined;
};

/** What attachments too small for three decimals show, in MB: not nothing. */
const SMALLEST_SIZE_MB = 0.001;

/**
 * What never changes about a message, fit to store and show: the fields of an email that do not follow from others, and
 * what else is read. Optional ones are missing where a message was cached before they were read.
 */
export const MessageFactsSchema = EmailSchema.omit({
  id: true,
  date: true,
  labels: true,
  isRead: true,
  attachmentSizeMb: true,
  category: true,
  hasAttachment: true,
  size: true,
  mailboxes: true,
}).extend({
  // Databases and JSON have other forms of dates and large numbers.
  receivedAt: z.coerce.date(),
  /** When it says that it was sent, where that is more than a day from `receivedAt`. */
  sentAt: z.coerce.date().optional(),
  sizeBytes: z.coerce.number(),
  attachmentCount: z.number(),
  attachmentBytes: z.coerce.number(),
  isInvitation: z.boolean(),
  /** Missing where From was read by an earlier version: the message is fetched again. */
  isSenderUnclear: z.boolean().optional(),
  /** What the mail server found out about the sender, if it says so. */
  authentication: AuthenticationSchema.optional(),
  failsDmarc: z.boolean().default(false),
  unsubscribe: UnsubscribeOfferSchema.optional(),
  isDiscussion: z.boolean().optional(),
  /** The address of the mailing list that it came by. */
  listAddress: z.string().optional(),
  /** The other addresses that it was sent to. The cache notes those of sent messages in a table, and none here. */
  recipients: z.array(z.string()).optional(),
});
export type MessageFacts = z.infer<typeof MessageFactsSchema>;

/** Lists name themselves as their address with a dot in place of the `@` (RFC 2919, 2). */
const toListAddress = (listId: string | undefined): string | undefined =>
  /<([^<>@.\s]+)\.([^<>@\s]+)>\s*$/
    .exec(listId ?? '')
    ?.slice(1)
    .join('@')
    .toLowerCase();

/** Says that nobody reads what is sent to it. */
const NO_REPLY = /^(?:no|do[-_.]?not)[-_.]?reply(?![a-z])/;

/** Whom a letter was written to. One by which somebody leaves a list is none: `mailto:list@host?subject=unsubscribe` (RFC 2369, 3.2). */
const readRecipients = (headers: readonly MessageHeader[], own: string | undefined): string[] =>
  /^\s*unsubscribe\b/i.test(findHeader(headers, 'subject') ?? '')
    ? []
    : ['to', 'cc']
        .flatMap((name) => findHeaders(headers, name).flatMap((value) => readAuthors(value)))
        .flatMap(({ address }) => (address === own || NO_REPLY.test(address) ? [] : address));

/** What the headers of a message say of its sender, as far as the mail server found it to be true, and of its receivers. @param server - whose `Authentication-Results` are believed */
export const readClaims = (
  headers: readonly MessageHeader[],
  sender: { from: string; isSenderUnclear: boolean },
  server: string | undefined,
) => {
  const authentication = readAuthentication(headers, server);
  const author = readAuthors(sender.from)[0]?.address;
  const listAddress = toListAddress(findHeader(headers, 'list-id'));
  return {
    authentication,
    failsDmarc: authentication?.dmarc === 'fail',
    unsubscribe: readUnsubscribeOffer(headers, sender, server),
    isDiscussion: isOfDiscussion(headers),
    // A newsletter may name itself as its author: writing to them starts no discussion.
    listAddress: listAddress === author ? undefined : listAddress,
    recipients: readRecipients(headers, author),
  };
};

/** An email together with what its rounded fields lose. */
export interface ReadEmail {
  email: Email;
  attachmentBytes: number;
}

const toAttachmentSizeMb = (bytes: number): number =>
  bytes === 0 ? 0 : Math.max(SMALLEST_SIZE_MB, Math.round((bytes / BYTES_PER_MB) * 1_000) / 1_000);

/** Makes an email of what never changes about a message and its present labels. */
export const toEmail = (id: string, facts: MessageFacts, labels: string[]): ReadEmail => {
  const email = {
    ...facts,
    id,
    date: facts.receivedAt.toISOString(),
    sentAt: facts.sentAt?.toISOString(),
    labels,
    isRead: !labels.includes(SYSTEM_LABELS.unread),
    attachmentSizeMb: toAttachmentSizeMb(facts.attachmentBytes),
    category: toCategory(labels),
    hasAttachment: facts.attachmentCount > 0,
    size: facts.sizeBytes,
    isSenderUnclear: facts.isSenderUnclear || undefined,
    failsDmarc: facts.failsDmarc || undefined,
    isDiscussion: facts.isDiscussion || undefined,
  } satisfies Email;
  // Facts that are no fields of an email are dropped.
  return { email: EmailSchema.parse(email), attachmentBytes: facts.attachmentBytes };
};
