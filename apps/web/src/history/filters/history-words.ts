import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { ActionBatch, ActionHistoryRecord, ActionSource, RecordedAction } from '@mailsweep/contracts';
import { countEmails, formatCount } from '../../email/counts.ts';
import { describeLabel, describeReason } from '../../suggestions/suggestion-words.ts';
import { isBeingUndone } from '../../undo/undo-batches.ts';

export const ACTION_WORDS: Record<RecordedAction, MessageDescriptor> = {
  archive: msg`Archived`,
  delete: msg`Moved to Trash`,
  mark_unread: msg`Marked unread`,
  mark_read: msg`Marked read`,
  label: msg`Labelled`,
  accept: msg`Accepted`,
  reject: msg`Rejected`,
};

export const SOURCE_WORDS: Record<ActionSource, MessageDescriptor> = {
  inbox: msg`Inbox`,
  suggestions: msg`Suggestions`,
  cleanup: msg`Cleanup`,
  rule: msg`Rule`,
};

const BATCH_WORDS: Record<RecordedAction, (emails: string) => string> = {
  archive: (emails) => t`Archived ${emails}`,
  delete: (emails) => t`Moved ${emails} to Trash`,
  mark_unread: (emails) => t`Marked ${emails} unread`,
  mark_read: (emails) => t`Marked ${emails} read`,
  label: (emails) => t`Labelled ${emails}`,
  accept: (emails) => t`Accepted suggestions for ${emails}`,
  reject: (emails) => t`Rejected suggestions for ${emails}`,
};

/** `Archived 12 emails`, `Accepted suggestions for 3 emails`. */
export const describeBatch = ({ action, total }: ActionBatch): string =>
  BATCH_WORDS[action](countEmails(total));

/**
 * What really happened to one email, from the labels that were put on and taken off. Those of the user are listed by
 * their id at Gmail, so the record has the name; one that was written before it did, names the accepted suggestion.
 */
export const describeChange = (record: ActionHistoryRecord): string => {
  const { labelChange, label, suggestions } = record.details;
  const { added, removed } = labelChange;
  if (added.includes('TRASH')) return t`moved to Trash`;
  if (removed.includes('INBOX')) return t`left the inbox`;
  if (added.includes('UNREAD')) return t`marked unread`;
  if (removed.includes('UNREAD')) return t`marked read`;
  const accepted = record.action === 'accept' ? suggestions?.[0] : undefined;
  if (added.length > 0) {
    const suggested = accepted?.action === 'label' ? describeReason(accepted.classification).name : undefined;
    const name = label === undefined ? suggested : describeLabel(label);
    return name === undefined ? t`got a label` : t`got the label ${{ label: name }}`;
  }
  return record.details.gmailResponse.status === 'unchanged' ? t`no change needed` : t`nothing moved`;
};

/** State of a batch: `Done`, `Nothing moved`, `Undone`, `3 of 12 undone`, `Undoing: 1,000 of 3,000`. */
export const describeState = (batch: ActionBatch): { words: string; tone: 'done' | 'quiet' | 'undone' } => {
  const { action, total, undone } = batch;
  const progress = t`${{ done: formatCount(undone) }} of ${{ total: formatCount(total) }}`;
  if (isBeingUndone(batch)) return { words: t`Undoing: ${progress}`, tone: 'undone' };
  if (undone === total) return { words: t`Undone`, tone: 'undone' };
  if (undone > 0) return { words: t`${progress} undone`, tone: 'undone' };
  return action === 'reject' ? { words: t`Nothing moved`, tone: 'quiet' } : { words: t`Done`, tone: 'done' };
};
