import type { InboxAction, LabelChange } from '@mailsweep/contracts';
import { SYSTEM_LABELS } from '@mailsweep/mailbox';

/** What each inbox action wants of a message's labels. Delete moves to the trash, never beyond. */
export const LABELS_WANTED: Record<InboxAction, LabelChange> = {
  archive: { added: [], removed: [SYSTEM_LABELS.inbox] },
  delete: { added: [SYSTEM_LABELS.trash], removed: [SYSTEM_LABELS.inbox] },
  mark_unread: { added: [SYSTEM_LABELS.unread], removed: [] },
};

/** A change of nothing. */
export const NO_CHANGE: LabelChange = { added: [], removed: [] };

/** The part of a wanted change that labels don't show yet: what a message really goes through. */
export const toRealChange = (labels: string[], wanted: LabelChange): LabelChange => ({
  added: wanted.added.filter((label) => !labels.includes(label)),
  removed: wanted.removed.filter((label) => labels.includes(label)),
});

/** The change that takes another one back. */
export const toReverseChange = (change: LabelChange): LabelChange => ({
  added: change.removed,
  removed: change.added,
});

/** Whether labels look as they do right after a change: all it added is there, all it removed is gone. */
export const isInEffect = (labels: string[], change: LabelChange): boolean =>
  change.added.every((label) => labels.includes(label)) &&
  !change.removed.some((label) => labels.includes(label));

/** Whether a change asks nothing of the mailbox. */
export const isEmptyChange = (change: LabelChange): boolean =>
  change.added.length === 0 && change.removed.length === 0;
