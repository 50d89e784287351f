import {
  decodeHeaderText,
  MAX_SENDER_LENGTH,
  MAX_SNIPPET_LENGTH,
  MAX_SUBJECT_LENGTH,
  type MessageFacts,
  type MessageHeader,
  readUnsubscribeOffer,
  toCategoryLabel,
  toInstant,
  toPlainText,
} from '@mailsweep/mailbox';
import type { BodyPart, JmapEmail } from '../protocol/jmap-schemas.ts';

/** The parts of an email that have content of their own. */
function* walkLeaves(root: BodyPart): Generator<BodyPart> {
  // A list instead of recursion: how deep a message nests is the sender’s choice.
  const waiting = [root];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const subParts = part.subParts ?? [];
    if (subParts.length === 0) yield part;
    waiting.push(...subParts);
  }
}

const typeOf = ({ type }: BodyPart): string => (type ?? '').toLowerCase();

/** Whether a part is a file, and no image that a text shows in itself (RFC 2392). */
const isAttachment = (part: BodyPart): boolean => {
  const disposition = (part.disposition ?? '').toLowerCase();
  const isShown = disposition === 'inline' && part.cid != null && typeOf(part).startsWith('image/');
  return !isShown && (disposition === 'attachment' || (part.name ?? '') !== '');
};

/** What an email has attached, by its MIME parts: the servers’ own property leaves open what it counts (RFC 8621, 4.1.4). */
export const readAttachments = ({ bodyStructure }: Pick<JmapEmail, 'bodyStructure'>) => {
  const leaves = bodyStructure == null ? [] : [...walkLeaves(bodyStructure)];
  const attachments = leaves.filter(isAttachment);
  return {
    attachmentCount: attachments.length,
    attachmentBytes: attachments.reduce((sum, { size }) => sum + (size ?? 0), 0),
    isInvitation: leaves.some((part) => typeOf(part) === 'text/calendar' || /\.ics$/i.test(part.name ?? '')),
  };
};

/** The headers that were read with all their values. */
const toHeaders = (email: JmapEmail): MessageHeader[] =>
  Object.entries(email).flatMap(([property, values]) => {
    const [, name] = /^header:(.+):asRaw:all$/.exec(property) ?? [];
    return name !== undefined && Array.isArray(values) ? values.map((value) => ({ name, value })) : [];
  });

export const toReceivedAt = (receivedAt: string): Date => toInstant(Date.parse(receivedAt));

/** The headers by which mailing lists and programs name themselves; Gmail’s other categories have no counterpart. */
export const FORUM_HEADER = 'List-Id';
export const UPDATE_HEADER = 'Auto-Submitted';
/** How the value begins where a program sent the email (RFC 3834, 5); other email may say `no`. */
export const AUTOMATIC = 'auto-';

/** The label of the category of an email, if it has one of its own. */
export const toCategoryLabels = (email: JmapEmail): string[] => {
  const isUpdate = (email['header:Auto-Submitted:asRaw'] ?? '').toLowerCase().includes(AUTOMATIC);
  const category = email['header:List-Id:asRaw'] != null ? 'forums' : isUpdate ? 'updates' : 'primary';
  return [toCategoryLabel(category)].filter((label) => label !== undefined);
};

/**
 * Reads what never changes about an email. Whatever is missing reads as empty; an unknown date as 1970.
 *
 * @param server - whose `Authentication-Results` are believed
 */
export const toMessageFacts = (email: JmapEmail, server: string | undefined): Required<MessageFacts> => ({
  threadId: email.threadId,
  from: decodeHeaderText(email['header:From:asRaw'] ?? undefined, MAX_SENDER_LENGTH),
  subject: decodeHeaderText(email['header:Subject:asRaw'] ?? undefined, MAX_SUBJECT_LENGTH),
  snippet: toPlainText((email.preview ?? '').trim(), MAX_SNIPPET_LENGTH),
  receivedAt: toReceivedAt(email.receivedAt),
  sizeBytes: email.size ?? 0,
  ...readAttachments(email),
  unsubscribe: readUnsubscribeOffer(toHeaders(email), server),
});
