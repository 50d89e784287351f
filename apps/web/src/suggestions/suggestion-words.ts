import type { SuggestedAction } from '@mailsweep/contracts';
import { countEmails } from '../email/counts.ts';
import { toLabelName } from '../email/label-name.ts';

interface ReasonWords {
  name: string;
  /** Why, as a sentence about the emails. */
  why: string;
}

/** The classifications that our own classification service gives; another one may know others. */
const KNOWN_REASONS: Record<string, ReasonWords> = {
  bulk: { name: 'Bulk email', why: 'Sent to many people at once, such as a newsletter.' },
  stale_unread: { name: 'Unread for long', why: 'It has been waiting unread for months.' },
  promotions_old: { name: 'Old promotions', why: 'The offer is most likely over.' },
  large_attachment: { name: 'Large attachments', why: 'It takes up a lot of room.' },
  receipt: { name: 'Receipts', why: 'A receipt or an invoice, worth finding again.' },
  recurring_notification: { name: 'Routine notices', why: 'An automatic notice that comes again and again.' },
  travel_alert: { name: 'Travel', why: 'It is about a trip of yours.' },
  security_alert: { name: 'Security', why: 'It is about the safety of an account.' },
  payment_due: { name: 'Payments due', why: 'Something has to be paid.' },
};

/** A classification in words; one that we do not know is shown as its service wrote it, only readable. */
export const describeReason = (classification: string): ReasonWords => {
  const known = KNOWN_REASONS[classification];
  if (known) return known;
  const name = classification.replace(/[_-]+/g, ' ').trim();
  return {
    name: name.charAt(0).toUpperCase() + name.slice(1),
    why: `The classification service calls it “${name}”.`,
  };
};

/** Short names of what is suggested. */
export const ACTION_NAMES: Record<SuggestedAction, string> = {
  archive: 'Archive',
  delete: 'Trash',
  label: 'Label',
  notify: 'Keep',
};

const emailsDo = (count: number, one: string, many: string): string =>
  `${countEmails(count)} ${count === 1 ? one : many}`;

/** What accepting does to some emails, exactly. @param labels - classifications of the emails to be labelled */
export const describeConsequence = (
  action: SuggestedAction,
  count: number,
  labels: readonly string[] = [],
): string => {
  switch (action) {
    case 'archive':
      return `${emailsDo(count, 'leaves', 'leave')} the inbox and can still be found in All mail.`;
    case 'delete':
      return `${emailsDo(count, 'moves', 'move')} to Trash, where Gmail keeps ${count === 1 ? 'it' : 'them'} for 30 days.`;
    case 'label':
      return `${emailsDo(count, 'gets', 'get')} the label ${labels.map(toLabelName).join(', ')}.`;
    case 'notify':
      return `${emailsDo(count, 'stays', 'stay')} where ${count === 1 ? 'it is' : 'they are'}: worth your attention.`;
  }
};
