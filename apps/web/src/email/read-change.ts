import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { InboxAction } from '@mailsweep/contracts';
import { type Icon, IconMail, IconMailOpened } from '@tabler/icons-react';

export type ReadChange = Extract<InboxAction, 'mark_read' | 'mark_unread'>;

export const READ_CHANGES: Record<ReadChange, { name: MessageDescriptor; icon: Icon }> = {
  mark_read: { name: msg`Mark read`, icon: IconMailOpened },
  mark_unread: { name: msg`Mark unread`, icon: IconMail },
};

/** Which of the two changes something: what has an unread email is marked read. */
export const toReadChange = (emails: readonly { isRead: boolean }[]): ReadChange =>
  emails.some(({ isRead }) => !isRead) ? 'mark_read' : 'mark_unread';

export const isReadChange = (action: string): action is ReadChange => Object.hasOwn(READ_CHANGES, action);

const UNREAD_LABEL = 'UNREAD';

/** An email as it is once it was marked. */
export const markRead = <T extends { isRead: boolean; labels: string[] }>(
  email: T,
  change: ReadChange,
): T => {
  const others = email.labels.filter((label) => label !== UNREAD_LABEL);
  const isRead = change === 'mark_read';
  return { ...email, isRead, labels: isRead ? others : [...others, UNREAD_LABEL] };
};
