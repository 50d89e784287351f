import type { Mailbox } from '@mailsweep/mailbox';
import { meterQuota } from '@mailsweep/mailbox-quota';
import type { createMailboxAccess } from '@mailsweep/provider-connection';

/** Opens a user's mailbox at background priority, with the quota units that it has taken so far. */
export const openMeteredMailbox = (
  mailboxAccess: ReturnType<typeof createMailboxAccess>,
  userId: string,
  signal: AbortSignal,
): { mailbox: Mailbox; unitsUsed: () => number } => {
  let units = 0;
  const governor = meterQuota(mailboxAccess.governor, (taken) => {
    units += taken;
  });
  const mailbox = mailboxAccess.openMailbox(userId, { governor, priority: 'background', signal });
  return { mailbox, unitsUsed: () => units };
};
