import type { WayOut } from './list-headers.ts';

export interface AttachmentKind {
  filename: string;
  mimeType: string;
  /** Smallest and largest size, in kB of 1,024 bytes. */
  sizeKb: readonly [number, number];
  isInline?: true;
}

/**
 * Mail of one sender over the years. In texts, `{n}` stands for a number, `{amount}` for a price, `{item}` for one
 * of `items`, `{month}` for the month of the mail.
 */
export interface MailStream {
  from: string;
  /** Gmail's category label; `primary` has none, or CATEGORY_PERSONAL. */
  category: 'promotions' | 'social' | 'updates' | 'forums' | 'primary';
  perMonth: number;
  /** First and last month in which mail comes, counted back from now; three years up to now when left out. */
  monthsAgo?: readonly [number, number];
  subjects: readonly string[];
  texts: readonly string[];
  items?: readonly string[];
  /** Language of the names of months; English when left out. */
  locale?: string;
  /** Share of mail that was read, 0 to 1. */
  read: number;
  archived?: number;
  /** Where it is instead of the inbox. Drafts and chats have no other label. */
  folder?: 'SPAM' | 'TRASH' | 'DRAFT' | 'CHAT';
  starred?: number;
  label?: string;
  /** Smallest and largest size of the message without attachments, in kB of 1,024 bytes. */
  bodyKb: readonly [number, number];
  /** Share of mail with an attachment, and which it may be. */
  attachments?: { share: number; kinds: readonly AttachmentKind[] };
  /** Most mails of a conversation; 1 when left out. */
  threadLength?: number;
  replied?: number;
  /** How receivers unsubscribe; not at all when left out. */
  wayOut?: WayOut;
}
