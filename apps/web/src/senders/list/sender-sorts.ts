import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { SenderSort } from '@mailsweep/contracts';

/** What senders can be ordered by, the most first, and how the screen calls it. */
export const SORT_NAMES: Record<SenderSort, MessageDescriptor> = {
  mails: msg`Emails`,
  unread: msg`Unread`,
  bytes: msg`Size`,
  lastSeen: msg`Last seen`,
  suggested: msg`Suggested`,
};
