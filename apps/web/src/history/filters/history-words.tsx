import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { ActionBatch, ActionHistoryRecord, ActionSource, RecordedAction } from '@mailsweep/contracts';
import { Fragment } from 'react';
import { countEmails, formatCount } from '../../email/counts.ts';
import { parseSender } from '../../email/sender/sender.ts';
import { describeLabel, describeReason } from '../../suggestions/suggestion-words.tsx';
import { isBeingUndone } from '../../undo/undo-requests.ts';

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
 * What really happened to an email, from the labels added and removed. Gmail lists user labels by id, so newer
 * records have the name; older ones name the accepted suggestion.
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
  const { action, undone } = batch;
  const changed = batch.total - batch.unchanged;
  const progress = t`${{ done: formatCount(undone) }} of ${{ total: formatCount(changed) }}`;
  if (isBeingUndone(batch)) return { words: t`Undoing: ${progress}`, tone: 'undone' };
  if (undone > 0) return { words: undone < changed ? t`${progress} undone` : t`Undone`, tone: 'undone' };
  return action === 'reject' || changed === 0
    ? { words: t`Nothing moved`, tone: 'quiet' }
    : { words: t`Done`, tone: 'done' };
};

/** A plain space would have no height. */
const NO_NAMES_YET = '\u00a0';

/** `Garden & Home, Pixel Deals and others`: each name in its own direction. */
export const SenderNames = ({ batch: { senders } }: { batch: ActionBatch }) => {
  const names = [...new Set(senders.top.map(({ from }) => parseSender(from).name))].filter(Boolean);
  if (names.length === 0) return NO_NAMES_YET;
  return (
    <>
      {names.map((name, index) => (
        <Fragment key={name}>
          {index > 0 && ', '}
          <bdi>{name}</bdi>
        </Fragment>
      ))}
      {senders.count > senders.top.length && ` ${t`and others`}`}
    </>
  );
};
