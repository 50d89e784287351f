import type { ListEmailsQuery } from '@mailsweep/contracts';
import type { EmailFilters } from '@mailsweep/mail/mailbox';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Emails older than so many days were received before this instant. */
export const toReceivedBefore = (olderThan: number | undefined, nowMs: number): Date | undefined =>
  olderThan === undefined ? undefined : new Date(nowMs - olderThan * DAY_MS);

export const toEmailFilters = (
  query: Omit<ListEmailsQuery, 'pageSize' | 'pageToken'>,
  nowMs: number,
): EmailFilters => {
  const { scope, unread, olderThan, category, minAttachmentSize, search } = query;
  return {
    scope,
    unread,
    receivedBefore: toReceivedBefore(olderThan, nowMs),
    category,
    largerThanMb: minAttachmentSize,
    search,
  };
};

/** The provider's labels of mail that the user wrote, or is writing. */
const OWN_MAIL_LABELS = ['SENT', 'DRAFT'];

/** Whether the user wrote the mail: it gets no suggestions. */
export const isOwnMail = (labels: readonly string[]): boolean =>
  labels.some((label) => OWN_MAIL_LABELS.includes(label));
