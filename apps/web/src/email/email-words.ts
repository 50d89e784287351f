import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { CleanupAction, EmailCategory, InboxAction, RuleAction } from '@mailsweep/contracts';
import { countEmails } from './counts.ts';

/** What emails were before an action that changed nothing: `3 emails were already archived`. */
export const ALREADY_DONE: Record<InboxAction, MessageDescriptor> = {
  archive: msg`already archived`,
  delete: msg`already in Trash`,
  mark_unread: msg`already unread`,
  mark_read: msg`already read`,
};

/** Actions to choose from. */
export const toActionChoices = (): { label: string; value: RuleAction }[] => [
  { label: t`Archive`, value: 'archive' },
  { label: t({ message: 'Trash', context: 'verb' }), value: 'delete' },
  { label: t`Mark read`, value: 'mark_read' },
  { label: t`Label`, value: 'label' },
];

/** What a button does to a number of emails: `Archive 6`. */
export const TO_DO: Record<CleanupAction | 'notify' | 'reject' | 'undo', (count: string) => string> = {
  archive: (count) => t`Archive ${count}`,
  delete: (count) => t`Trash ${count}`,
  mark_unread: (count) => t`Mark ${count} unread`,
  mark_read: (count) => t`Mark ${count} read`,
  label: (count) => t`Label ${count}`,
  notify: (count) => t`Keep ${count}`,
  accept: (count) => t`Accept ${count}`,
  reject: (count) => t`Reject ${count}`,
  undo: (count) => t`Undo ${count}`,
};

const WORKING: Record<CleanupAction | 'reject' | 'notify', (emails: string) => string> = {
  archive: (emails) => t`Archiving ${emails}…`,
  delete: (emails) => t`Moving ${emails} to Trash…`,
  mark_unread: (emails) => t`Marking ${emails} unread…`,
  mark_read: (emails) => t`Marking ${emails} read…`,
  label: (emails) => t`Labelling ${emails}…`,
  accept: (emails) => t`Accepting for ${emails}…`,
  notify: (emails) => t`Accepting for ${emails}…`,
  reject: (emails) => t`Rejecting for ${emails}…`,
};
const isKnownWork = (action: string): action is keyof typeof WORKING => Object.hasOwn(WORKING, action);

/** `Archiving 3,362 emails…` @param action - of a cleanup, or a decision about suggestions */
export const describeWork = (action: string, count: number): string =>
  WORKING[isKnownWork(action) ? action : 'accept'](countEmails(count));

const DONE: Record<string, MessageDescriptor> = {
  archive: msg`archived`,
  delete: msg`moved to Trash`,
  mark_unread: msg`marked unread`,
  mark_read: msg`marked read`,
  label: msg`labelled`,
};

/** Whether an action has words of its own. */
export const changesEmails = (action: string): boolean => Object.hasOwn(DONE, action);

/** Follows a number: `3,362 emails archived`. */
export const toDone = (action: string): string => i18n._(DONE[action] ?? msg`changed`);

export const CATEGORY_NAMES: Record<EmailCategory, MessageDescriptor> = {
  primary: msg`Primary`,
  promotions: msg`Promotions`,
  social: msg`Social`,
  updates: msg`Updates`,
  forums: msg`Forums`,
};

export const CATEGORIES = Object.keys(CATEGORY_NAMES) as EmailCategory[];
