import { BYTES_PER_MB, type Email, EmailSchema } from '@mailsweep/contracts';
import { z } from 'zod';
import { SYSTEM_LABELS, toCategory } from '../labels.ts';
import { UnsubscribeOfferSchema } from './unsubscribe-offer.ts';

/** The last instant whose ISO 8601 form has a four-digit year. */
const LAST_INSTANT_MS = Date.UTC(10_000, 0, 1) - 1;

/** When a message was received, of milliseconds since 1970; what is no such instant reads as 1970. */
export const toInstant = (epochMs: number): Date =>
  new Date(epochMs >= 0 && epochMs <= LAST_INSTANT_MS ? epochMs : 0);

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
}).extend({
  // Databases and JSON have other forms of dates and large numbers.
  receivedAt: z.coerce.date(),
  sizeBytes: z.coerce.number(),
  attachmentCount: z.number(),
  attachmentBytes: z.coerce.number(),
  /** Whether it has a calendar file. */
  isInvitation: z.boolean(),
  unsubscribe: UnsubscribeOfferSchema.optional(),
});
export type MessageFacts = z.infer<typeof MessageFactsSchema>;

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
    labels,
    isRead: !labels.includes(SYSTEM_LABELS.unread),
    attachmentSizeMb: toAttachmentSizeMb(facts.attachmentBytes),
    category: toCategory(labels),
    hasAttachment: facts.attachmentCount > 0,
    size: facts.sizeBytes,
  } satisfies Email;
  // Facts that are no fields of an email are dropped.
  return { email: EmailSchema.parse(email), attachmentBytes: facts.attachmentBytes };
};
