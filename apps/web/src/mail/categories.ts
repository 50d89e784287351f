import type { EmailCategory } from '@mailsweep/contracts';

/** The mailbox categories as the person knows them from the tabs of the mail provider. */
export const CATEGORY_NAMES: Record<EmailCategory, string> = {
  primary: 'Primary',
  promotions: 'Promotions',
  social: 'Social',
  updates: 'Updates',
  forums: 'Forums',
};
