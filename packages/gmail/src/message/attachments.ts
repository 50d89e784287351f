import type { MessagePart } from '../gmail-schemas.ts';
import { findHeader } from './headers.ts';

/** What a message has attached. */
export interface AttachmentTotals {
  count: number;
  /** Sum of the decoded sizes. */
  bytes: number;
}

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
  // A list instead of recursion: how deep a message nests is the sender's choice.
  const waiting = root === undefined ? [] : [root];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const children = part.parts ?? [];
    const isFile = (part.filename ?? '') !== '' && (children.length === 0 || part.body?.attachmentId != null);
    if (!isFile) {
      waiting.push(...children);
    } else if (!isInlineImage(part)) {
      totals.count += 1;
      totals.bytes += part.body?.size ?? 0;
    }
  }
  return totals;
};
