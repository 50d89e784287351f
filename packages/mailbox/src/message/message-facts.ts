import { BYTES_PER_MB, type Email } from '@mailsweep/contracts';
import { SYSTEM_LABELS, toCategory } from '../labels.ts';
import type { UnsubscribeOffer } from './unsubscribe-offer.ts';

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
