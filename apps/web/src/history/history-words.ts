import type { ActionHistoryRecord, ActionSource, RecordedAction } from '@mailsweep/contracts';
import { countMails, formatCount } from '../mail/counts.ts';
import { type HistoryBatch, undoableRecords } from './history-batches.ts';

export const ACTION_WORDS: Record<RecordedAction, string> = {
  archive: 'Archived',
  delete: 'Moved to Trash',
  mark_unread: 'Marked unread',
  accept: 'Accepted',
  reject: 'Rejected',
};

export const SOURCE_WORDS: Record<ActionSource, string> = { inbox: 'Inbox', suggestions: 'Suggestions' };

/** `Archived 12 mails`, `Accepted suggestions for 3 mails`. */
export const describeBatch = (batch: HistoryBatch): string => {
  const mails = countMails(batch.records.length);
  switch (batch.action) {
    case 'archive':
      return `Archived ${mails}`;
    case 'delete':
      return `Moved ${mails} to Trash`;
    case 'mark_unread':
      return `Marked ${mails} unread`;
    case 'accept':
      return `Accepted suggestions for ${mails}`;
    case 'reject':
      return `Rejected suggestions for ${mails}`;
  }
};

const USER_LABEL_PREFIX = 'Mailsweep/';

/** What really happened to one mail, from the labels that were put on and taken off. */
export const describeChange = (record: ActionHistoryRecord): string => {
  const { added, removed } = record.details.labelChange;
  if (added.includes('TRASH')) return 'moved to Trash';
  if (removed.includes('INBOX')) return 'left the inbox';
  const label = added.find((name) => name.startsWith(USER_LABEL_PREFIX));
  if (label) return `got the label ${label}`;
  if (added.includes('UNREAD')) return 'marked unread';
  if (added.length > 0) return 'got a label';
  return record.details.gmailResponse.status === 'unchanged' ? 'no change needed' : 'nothing moved';
};

/** How a batch stands now: `Done`, `Nothing moved`, `No change needed`, `Undone`, `3 of 12 undone`. */
export const describeStanding = (
  batch: HistoryBatch,
): { words: string; tone: 'done' | 'quiet' | 'undone' } => {
  const undone = batch.records.length - undoableRecords(batch).length;
  if (undone === batch.records.length) return { words: 'Undone', tone: 'undone' };
  if (undone > 0)
    return { words: `${formatCount(undone)} of ${formatCount(batch.records.length)} undone`, tone: 'undone' };
  const statuses = new Set(batch.records.map((record) => record.details.gmailResponse.status));
  if (statuses.has('ok')) return { words: 'Done', tone: 'done' };
  return { words: statuses.has('unchanged') ? 'No change needed' : 'Nothing moved', tone: 'quiet' };
};
