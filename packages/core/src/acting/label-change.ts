import type { InboxAction, LabelChange } from '@mailsweep/contracts';
import { SYSTEM_LABELS } from '@mailsweep/mailbox';

/** The label change of each action. Delete moves to the trash, never beyond. */
export const LABEL_CHANGES: Record<InboxAction, LabelChange> = {
  archive: { added: [], removed: [SYSTEM_LABELS.inbox] },
  delete: { added: [SYSTEM_LABELS.trash], removed: [SYSTEM_LABELS.inbox] },
  mark_unread: { added: [SYSTEM_LABELS.unread], removed: [] },
  mark_read: { added: [], removed: [SYSTEM_LABELS.unread] },
};

/** The change that takes another one back. */
export const toReverseChange = (change: LabelChange): LabelChange => ({
  added: change.removed,
  removed: change.added,
});
