import { BYTES_PER_MB, type Email } from '@mailsweep/contracts';
import { decodeHTMLStrict } from 'entities';
import type { Message } from '../gmail-schemas.ts';
import { SYSTEM_LABELS } from '../system-labels.ts';
import { sumAttachments } from './attachments.ts';
import { toCategory } from './categories.ts';
import { decodeHeaderText, findHeader } from './headers.ts';
import { parseInternalDate } from './mail-date.ts';
import { toPlainText } from './text.ts';

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
