import type { LookUpEmailsRequest, LookUpEmailsResponse } from '@mailsweep/contracts';
import type { OpenMailbox } from '../dependencies.ts';

/**
 * Returns sender, subject and date of each email, for lists that know emails by id alone (docs/decisions/019).
 *
 * @throws MailboxError when the mailbox can't be read
 */
export const createLookUpEmails =
  (dependencies: { openMailbox: OpenMailbox }) =>
  async (userId: string, { emailIds }: LookUpEmailsRequest): Promise<LookUpEmailsResponse> => {
    const emails = await dependencies.openMailbox(userId).findEmails([...new Set(emailIds)]);
    return { emails: emails.map(({ id, from, subject, date }) => ({ id, from, subject, date })) };
  };
