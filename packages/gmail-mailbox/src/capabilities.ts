import { EMAIL_CATEGORIES, type MailboxCapabilities } from '@mailsweep/contracts';

/** What Gmail can do. It empties the trash after 30 days (Gmail help, "Delete or recover deleted Gmail messages"). */
export const GMAIL_CAPABILITIES: MailboxCapabilities = {
  name: 'Gmail',
  categories: [...EMAIL_CATEGORIES],
  hasQuotaUnits: true,
  trashDays: 30,
  emailUrl: 'https://mail.google.com/mail/?authuser={address}#all/{emailId}',
};
