import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { InboxAction } from '@mailsweep/contracts';

/** What an action did, after a number of emails: `3 emails archived`. */
export const ACTION_DONE: Record<InboxAction, MessageDescriptor> = {
  archive: msg`archived`,
  delete: msg`moved to Trash`,
  mark_unread: msg`marked unread`,
};

/** What emails were before an action that changed nothing: `3 emails were already archived`. */
export const ALREADY_DONE: Record<InboxAction, MessageDescriptor> = {
  archive: msg`already archived`,
  delete: msg`already in Trash`,
  mark_unread: msg`already unread`,
};

/** While an action is in flight, about a number of emails: `Archiving 6 emails…`. */
export const ACTION_WORKING: Record<InboxAction, (emails: string) => string> = {
  archive: (emails) => t`Archiving ${emails}…`,
  delete: (emails) => t`Moving ${emails} to Trash…`,
  mark_unread: (emails) => t`Marking ${emails} unread…`,
};
