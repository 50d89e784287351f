import type { EmailCategory } from '@mailsweep/contracts';
import {
  decodeHeaderText,
  MAX_SNIPPET_LENGTH,
  MAX_SUBJECT_LENGTH,
  type MessageFacts,
  type MessageHeader,
  readClaims,
  readFrom,
  readSentAt,
  toCategoryLabel,
  toInstant,
  toPlainText,
} from '@mailsweep/mail/mailbox';
import type { BodyPart, JmapEmail, ListedEmail } from '../protocol/jmap-schemas.ts';

const typeOf = ({ type }: BodyPart): string => (type ?? '').toLowerCase();

/** Whether a part is a file, and no image that a text shows in itself (RFC 2392). */
const isAttachment = (part: BodyPart): boolean => {
  const disposition = (part.disposition ?? '').toLowerCase();
  const isShown = disposition === 'inline' && part.cid != null && typeOf(part).startsWith('image/');
  return !isShown && (disposition === 'attachment' || (part.name ?? '') !== '');
};

/** What an email has attached, by its MIME parts: the servers’ own property leaves open what it counts (RFC 8621, 4.1.4). */
export const readAttachments = ({ bodyStructure }: Pick<JmapEmail, 'bodyStructure'>) => {
  const leaves = bodyStructure ?? [];
  const attachments = leaves.filter(isAttachment);
  return {
    attachmentCount: attachments.length,
    attachmentBytes: attachments.reduce((sum, { size }) => sum + (size ?? 0), 0),
    isInvitation: leaves.some((part) => typeOf(part) === 'text/calendar' || /\.ics$/i.test(part.name ?? '')),
  };
};

const toHeaders = (email: JmapEmail): MessageHeader[] =>
  Object.entries(email).flatMap(([property, values]) => {
    const [, name] = /^header:([^:]+):asRaw/.exec(property) ?? [];
    return name === undefined ? [] : [values ?? []].flat().map((value) => ({ name, value: String(value) }));
  });

export const toReceivedAt = (receivedAt: string): Date => toInstant(Date.parse(receivedAt));

/** The headers by which mailing lists and programs name themselves; Gmail’s other categories have no counterpart. */
export const FORUM_HEADER = 'List-Id';
export const UPDATE_HEADER = 'Auto-Submitted';
/** How the value begins where a program sent the email (RFC 3834, 5); other email may say `no`. */
export const AUTOMATIC = 'auto-';

/** The category of an email, of which CATEGORY_PROPERTIES were read. */
export const toCategory = (email: ListedEmail): EmailCategory => {
  const isUpdate = (email['header:Auto-Submitted:asRaw'] ?? '').toLowerCase().includes(AUTOMATIC);
  return email['header:List-Id:asRaw'] != null ? 'forums' : isUpdate ? 'updates' : 'primary';
};

/** The label of the category of an email, if it has one of its own. */
export const toCategoryLabels = (email: JmapEmail): string[] =>
  [toCategoryLabel(toCategory(email))].filter((label) => label !== undefined);

/**
 * Reads what never changes about an email. Whatever is missing reads as empty; an unknown date as 1970.
 *
 * @param server - whose `Authentication-Results` are believed
 */
export const toMessageFacts = (email: JmapEmail, server: string | undefined): MessageFacts => {
  const receivedAt = toReceivedAt(email.receivedAt);
  const sender = readFrom(email['header:From:asRaw:all'] ?? []);
  return {
    threadId: email.threadId,
    ...sender,
    subject: decodeHeaderText(email['header:Subject:asRaw'] ?? undefined, MAX_SUBJECT_LENGTH),
    snippet: toPlainText((email.preview ?? '').trim(), MAX_SNIPPET_LENGTH),
    receivedAt,
    sentAt: readSentAt(email.sentAt, receivedAt),
    sizeBytes: email.size ?? 0,
    ...readAttachments(email),
    ...readClaims(toHeaders(email), sender, server),
  };
};
