import type { ActionBatch, ActionHistoryRecord, ActionSource, RecordedAction } from '@mailsweep/contracts';
import { countEmails, formatCount } from '../email/counts.ts';
import { toLabelName } from '../email/label-name.ts';
import { parseSender } from '../email/sender.ts';
import { isBeingUndone } from '../undo/undo-batches.ts';

export const ACTION_WORDS: Record<RecordedAction, string> = {
  archive: 'Archived',
  delete: 'Moved to Trash',
  mark_unread: 'Marked unread',
  mark_read: 'Marked read',
  label: 'Labelled',
  accept: 'Accepted',
  reject: 'Rejected',
};

export const SOURCE_WORDS: Record<ActionSource, string> = {
  inbox: 'Inbox',
  suggestions: 'Suggestions',
  cleanup: 'Cleanup',
};

/** `Archived 12 emails`, `Accepted suggestions for 3 emails`. */
export const describeBatch = ({ action, total }: ActionBatch): string => {
  const emails = countEmails(total);
  switch (action) {
    case 'archive':
      return `Archived ${emails}`;
    case 'delete':
      return `Moved ${emails} to Trash`;
    case 'mark_unread':
      return `Marked ${emails} unread`;
    case 'mark_read':
      return `Marked ${emails} read`;
    case 'label':
      return `Labelled ${emails}`;
    case 'accept':
      return `Accepted suggestions for ${emails}`;
    case 'reject':
      return `Rejected suggestions for ${emails}`;
  }
};

/**
 * What really happened to one email, from the labels that were put on and taken off. Those of the user are listed by
 * their id at Gmail, so the name comes from the suggestion that was accepted: it is known even when the label was deleted.
 */
export const describeChange = (record: ActionHistoryRecord): string => {
  const { labelChange, suggestions } = record.details;
  const { added, removed } = labelChange;
  if (added.includes('TRASH')) return 'moved to Trash';
  if (removed.includes('INBOX')) return 'left the inbox';
  if (added.includes('UNREAD')) return 'marked unread';
  if (removed.includes('UNREAD')) return 'marked read';
  const accepted = record.action === 'accept' ? suggestions?.[0] : undefined;
  if (added.length > 0) {
    return accepted?.action === 'label'
      ? `got the label ${toLabelName(accepted.classification)}`
      : 'got a label';
  }
  return record.details.gmailResponse.status === 'unchanged' ? 'no change needed' : 'nothing moved';
};

/** State of a batch: `Done`, `Nothing moved`, `Undone`, `3 of 12 undone`, `Undoing: 1,000 of 3,000`. */
export const describeState = (batch: ActionBatch): { words: string; tone: 'done' | 'quiet' | 'undone' } => {
  const { action, total, undone } = batch;
  const progress = `${formatCount(undone)} of ${formatCount(total)}`;
  if (isBeingUndone(batch)) return { words: `Undoing: ${progress}`, tone: 'undone' };
  if (undone === total) return { words: 'Undone', tone: 'undone' };
  if (undone > 0) return { words: `${progress} undone`, tone: 'undone' };
  return action === 'reject' ? { words: 'Nothing moved', tone: 'quiet' } : { words: 'Done', tone: 'done' };
};

/** `Garden & Home, Pixel Deals`, with `and others` where there are more; empty where none is known. */
export const describeSenders = ({ senders }: ActionBatch): string => {
  const names = [...new Set(senders.top.map(({ from }) => parseSender(from).name))].filter(Boolean);
  const shown = names.join(', ');
  return shown !== '' && senders.count > senders.top.length ? `${shown} and others` : shown;
};
