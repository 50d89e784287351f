import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { InboxAction } from '@mailsweep/contracts';
import { type Icon, IconArchive, IconMail, IconMailOpened, IconTrash } from '@tabler/icons-react';

/** The label of every email in the inbox. */
export const INBOX_LABEL = 'INBOX';

/** Actions on any email, with their keys. */
export const EMAIL_ACTIONS: Record<InboxAction, { name: MessageDescriptor; icon: Icon; keyCap: string }> = {
  archive: { name: msg`Archive`, icon: IconArchive, keyCap: 'E' },
  delete: { name: msg({ message: 'Trash', context: 'verb' }), icon: IconTrash, keyCap: '#' },
  mark_read: { name: msg`Mark read`, icon: IconMailOpened, keyCap: 'U' },
  mark_unread: { name: msg`Mark unread`, icon: IconMail, keyCap: 'U' },
};

export type ReadChange = Extract<InboxAction, 'mark_read' | 'mark_unread'>;

/** The change that has an effect: marks read if any email is unread. */
export const toReadChange = (emails: readonly { isRead: boolean }[]): ReadChange =>
  emails.some(({ isRead }) => !isRead) ? 'mark_read' : 'mark_unread';

export const toOffered = (readChange: ReadChange) => ['archive', 'delete', readChange] as const;

export const isReadChange = (action: string): action is ReadChange =>
  action === 'mark_read' || action === 'mark_unread';

const UNREAD_LABEL = 'UNREAD';

export const markRead = <T extends { isRead: boolean; labels: string[] }>(
  email: T,
  change: ReadChange,
): T => {
  const others = email.labels.filter((label) => label !== UNREAD_LABEL);
  const isRead = change === 'mark_read';
  return { ...email, isRead, labels: isRead ? others : [...others, UNREAD_LABEL] };
};
