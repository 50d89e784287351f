import type { CleanupSelection, ProtectionReason, SenderDetails } from '@mailsweep/contracts';
import { whyProtected } from '../protections/why-protected.ts';
import type { EmailsAlike } from './mail-overview.repository.ts';

const ACTIONS = ['archive', 'delete', 'mark_read', 'label'] as const;

const isConcerned = (action: (typeof ACTIONS)[number], { isInInbox, isUnread }: EmailsAlike): boolean => {
  if (action === 'archive') return isInInbox;
  return action !== 'mark_read' || isUnread;
};

const holds =
  ({ reason, isNotify, isReceipt }: EmailsAlike) =>
  (asked: ProtectionReason): boolean =>
    asked === reason || (asked === 'notify' && isNotify) || (asked === 'receipt' && isReceipt);

/** How many emails of a sender cleanups take, and why others would not be deleted. */
export const countTaken = (
  sender: string,
  alike: readonly EmailsAlike[],
): Pick<SenderDetails, 'takes' | 'excluded'> => {
  const selection: CleanupSelection = { type: 'senders', senders: [sender], except: [] };
  const takes = { archive: 0, delete: 0, mark_read: 0, label: 0 };
  const excluded: SenderDetails['excluded'] = {};
  for (const emails of alike) {
    for (const action of ACTIONS) {
      if (!isConcerned(action, emails)) continue;
      const reason = whyProtected({ action, selection }, action, holds(emails));
      if (reason === undefined) takes[action] += emails.emails;
      else if (action === 'delete') excluded[reason] = (excluded[reason] ?? 0) + emails.emails;
    }
  }
  return { takes, excluded };
};
