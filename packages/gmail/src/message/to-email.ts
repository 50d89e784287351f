import { BYTES_PER_MB, type Email } from '@mailsweep/contracts';
import { decodeHTMLStrict } from 'entities';
import libmime from 'libmime';
import type { Message, MessageHeader, MessagePart } from '../gmail-schemas.ts';
import { SYSTEM_LABELS, toCategory } from '../labels.ts';
import { readUnsubscribeOffer, type UnsubscribeOffer } from './unsubscribe-offer.ts';

/** Longest subject, in UTF-16 units: the longest line a mail may have (RFC 5322, 2.1.1). */
const MAX_SUBJECT_LENGTH = 998;
const MAX_SENDER_LENGTH = 512;
const MAX_SNIPPET_LENGTH = 1_000;
/** What attachments too small for three decimals show, in MB: not nothing. */
const SMALLEST_SIZE_MB = 0.001;

/** What never changes about a message, fit to store and show. */
export interface MessageFacts {
  /** The conversation; undefined where it was not cached. */
  threadId: string | undefined;
  from: string;
  subject: string;
  snippet: string;
  receivedAt: Date;
  sizeBytes: number;
  attachmentCount: number;
  attachmentBytes: number;
  /** Whether it has a calendar file. Overviews read it from a column of the cache, so cached facts leave it out. */
  isInvitation?: boolean;
  /** undefined also where it was cached before this was read. */
  unsubscribe?: UnsubscribeOffer | undefined;
}

/** An email together with what its rounded fields lose. */
export interface ReadEmail {
  email: Email;
  attachmentBytes: number;
}

const toAttachmentSizeMb = (bytes: number): number =>
  bytes === 0 ? 0 : Math.max(SMALLEST_SIZE_MB, Math.round((bytes / BYTES_PER_MB) * 1_000) / 1_000);

const toReceivedAt = (message: Message): Date => parseInternalDate(message.internalDate ?? '') ?? new Date(0);

/** Reads what never changes about a Gmail message. Whatever is missing reads as empty; an unknown date as 1970. */
export const toMessageFacts = (message: Message): MessageFacts => {
  const headers = message.payload?.headers ?? [];
  const attachments = sumAttachments(message.payload ?? undefined);
  return {
    // A message is in a conversation of its own at least.
    threadId: message.threadId ?? message.id,
    from: decodeHeaderText(findHeader(headers, 'From'), MAX_SENDER_LENGTH),
    subject: decodeHeaderText(findHeader(headers, 'Subject'), MAX_SUBJECT_LENGTH),
    snippet: toPlainText(decodeHTMLStrict(message.snippet ?? ''), MAX_SNIPPET_LENGTH),
    receivedAt: toReceivedAt(message),
    sizeBytes: message.sizeEstimate ?? 0,
    attachmentCount: attachments.count,
    attachmentBytes: attachments.bytes,
    isInvitation: isInvitation(message.payload ?? undefined),
    unsubscribe: readUnsubscribeOffer(headers),
  };
};

/** Makes an email of what never changes about a message and its present labels. */
export const toEmail = (id: string, facts: MessageFacts, labels: string[]): ReadEmail => ({
  email: {
    id,
    from: facts.from,
    subject: facts.subject,
    date: facts.receivedAt.toISOString(),
    labels,
    isRead: !labels.includes(SYSTEM_LABELS.unread),
    attachmentSizeMb: toAttachmentSizeMb(facts.attachmentBytes),
    category: toCategory(labels),
    snippet: facts.snippet,
    hasAttachment: facts.attachmentCount > 0,
    size: facts.sizeBytes,
    threadId: facts.threadId,
  },
  attachmentBytes: facts.attachmentBytes,
});

/** How much of a header value is read, in UTF-16 units: far more than any text that is shown needs encoded. */
const MAX_ENCODED_LENGTH = 16_384;

/** The value of the first header with this name, in whatever case; undefined when there is none. */
export const findHeader = (headers: readonly MessageHeader[], name: string): string | undefined =>
  headers.find((header) => header.name.toLowerCase() === name.toLowerCase())?.value;

/**
 * The text of a header: unfolded, with its encoded words decoded, also where a character is split across two of
 * them (RFC 2047), and cleaned as {@link toPlainText} does.
 *
 * @param value - the raw value; undefined when the header is missing, which reads as an empty text
 * @param maxLength - longest result in UTF-16 units
 */
export const decodeHeaderText = (value: string | undefined, maxLength: number): string => {
  if (value === undefined) return '';
  const unfolded = value.slice(0, MAX_ENCODED_LENGTH).replace(/\r?\n[ \t]+/g, ' ');
  // Cleaned before and after: libmime marks joints with NUL, and an encoded word can hide controls.
  const decoded = libmime.decodeWords(toPlainText(unfolded, MAX_ENCODED_LENGTH));
  return toPlainText(decoded.trim(), maxLength);
};

/**
 * Makes text from mail fit to store and show: line breaks and tabs become spaces, every other control character
 * goes (a database's JSON refuses NUL), a lone surrogate becomes U+FFFD.
 *
 * @param maxLength - longest result in UTF-16 units; a surrogate pair at the edge is left out whole
 */
export const toPlainText = (text: string, maxLength: number): string => {
  const clean = text
    .replace(/[\t\n\v\f\r]/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .toWellFormed();
  const cutsPair = /[\uD800-\uDBFF]/.test(clean.charAt(maxLength - 1));
  return clean.slice(0, cutsPair ? maxLength - 1 : maxLength);
};

/** What a message has attached. */
export interface AttachmentTotals {
  count: number;
  /** Sum of the decoded sizes. */
  bytes: number;
}

const isFile = (part: MessagePart): boolean =>
  (part.filename ?? '') !== '' && ((part.parts ?? []).length === 0 || part.body?.attachmentId != null);

/** The MIME parts of a message; not those of a mail that is attached to it as a file. */
function* walkParts(root: MessagePart | undefined): Generator<MessagePart> {
  // A list instead of recursion: how deep a message nests is the sender's choice.
  const waiting = root === undefined ? [] : [root];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    yield part;
    if (!isFile(part)) waiting.push(...(part.parts ?? []));
  }
}

/** Whether a message carries an iCalendar object (RFC 5545), as invitations do: as a file, or in place of a text. */
const isInvitation = (root: MessagePart | undefined): boolean =>
  walkParts(root).some(
    ({ mimeType, filename }) =>
      (mimeType ?? '').toLowerCase() === 'text/calendar' || /\.ics$/i.test(filename ?? ''),
  );

const isInlineImage = (part: MessagePart): boolean => {
  const headers = part.headers ?? [];
  const disposition = findHeader(headers, 'Content-Disposition') ?? '';
  return (
    (part.mimeType ?? '').toLowerCase().startsWith('image/') &&
    /^\s*inline\b/i.test(disposition) &&
    findHeader(headers, 'Content-ID') !== undefined
  );
};

/**
 * Counts the attachments of a message from its real MIME parts: leaves that have a file name, without the images a
 * text shows in itself (inline disposition and a Content-ID, RFC 2392). A mail attached as a file counts once, as
 * the file: what it carries inside is not looked at.
 *
 * @param root - the root part; undefined when the message has none
 */
export const sumAttachments = (root: MessagePart | undefined): AttachmentTotals => {
  const totals: AttachmentTotals = { count: 0, bytes: 0 };
  for (const part of walkParts(root)) {
    if (!isFile(part) || isInlineImage(part)) continue;
    totals.count += 1;
    totals.bytes += part.body?.size ?? 0;
  }
  return totals;
};

/** The last instant whose ISO 8601 form has a four-digit year. */
const LAST_INSTANT_MS = Date.UTC(10_000, 0, 1) - 1;

const toInstant = (epochMs: number): Date | undefined =>
  epochMs >= 0 && epochMs <= LAST_INSTANT_MS ? new Date(epochMs) : undefined;

/**
 * Reads Gmail's `internalDate`, decimal milliseconds since 1970. Gmail gives one to every message, whatever its Date
 * header says (Gmail API reference, users.messages).
 *
 * @returns undefined when it is none or out of range
 */
export const parseInternalDate = (value: string): Date | undefined =>
  /^\d{1,15}$/.test(value) ? toInstant(Number(value)) : undefined;
