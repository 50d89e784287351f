import { t } from '@lingui/core/macro';
import type { MailboxCapabilities } from '@mailsweep/contracts';
import { useMe } from './me-query.ts';

/** What the user's mailbox can do; undefined while it is not known, as with the API of the version before. */
export const useMailbox = (): MailboxCapabilities | undefined => useMe().data?.mailbox;

/** How long email stays in the trash, in a sentence. */
export const useTrashNote = (): string => {
  const { name, trashDays: days } = useMailbox() ?? { name: t`Your mail provider`, trashDays: null };
  return days === null
    ? t`${name} decides how long it keeps email in Trash.`
    : t`${name} keeps email in Trash for ${days} days.`;
};

/** The way to an email in the web app of the mail provider; undefined where there is none. */
export const useEmailLink = (): { name: string; toUrl: (emailId: string) => string } | undefined => {
  const { email, mailbox } = useMe().data ?? {};
  const template = mailbox?.emailUrl;
  if (template == null || mailbox === undefined) return;
  const address = email ?? '';
  return {
    name: mailbox.name,
    toUrl: (emailId) =>
      template.replaceAll(/\{(emailId|address)\}/g, (_placeholder, name: string) =>
        encodeURIComponent(name === 'emailId' ? emailId : address),
      ),
  };
};
