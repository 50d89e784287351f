import {
  decodeHeaderText,
  findHeader,
  findHeaders,
  MAX_SNIPPET_LENGTH,
  MAX_SUBJECT_LENGTH,
  type MessageFacts,
  readClaims,
  readFrom,
  readSentAt,
  toInstant,
  toPlainText,
} from '@mailsweep/mail/mailbox';
import { decodeHTMLStrict } from 'entities';
import type { Message, MessagePart } from '../gmail-requests.ts';

/** The name by which Gmail signs its own `Authentication-Results`. */
const AUTHENTICATION_SERVICE = 'mx.google.com';

/**
 * Gmail's `internalDate`: decimal milliseconds since 1970. Gmail gives one to every message, whatever its Date header says
 * (Gmail API reference, users.messages).
 */
const toReceivedAt = ({ internalDate }: Message): Date =>
  toInstant(/^\d{1,15}$/.test(internalDate ?? '') ? Number(internalDate) : Number.NaN);

/** Reads what never changes about a Gmail message. Whatever is missing reads as empty; an unknown date as 1970. */
export const toMessageFacts = (message: Message): MessageFacts => {
  const headers = message.payload?.headers ?? [];
  const attachments = sumAttachments(message.payload ?? undefined);
  const receivedAt = toReceivedAt(message);
  const sender = readFrom(findHeaders(headers, 'From'));
  return {
    // A message is in a conversation of its own at least.
    threadId: message.threadId ?? message.id,
    ...sender,
    subject: decodeHeaderText(findHeader(headers, 'Subject'), MAX_SUBJECT_LENGTH),
    snippet: toPlainText(decodeHTMLStrict(message.snippet ?? ''), MAX_SNIPPET_LENGTH),
    receivedAt,
    sentAt: readSentAt(findHeader(headers, 'Date'), receivedAt),
    sizeBytes: message.sizeEstimate ?? 0,
    attachmentCount: attachments.count,
    attachmentBytes: attachments.bytes,
    isInvitation: isInvitation(message.payload ?? undefined),
    ...readClaims(headers, sender, AUTHENTICATION_SERVICE),
  };
};

export interface AttachmentTotals {
  count: number;
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
