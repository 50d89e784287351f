import type { EmailCategory } from '@mailsweep/contracts';

/** The mailbox categories as the user knows them from the tabs of the provider. */
export const CATEGORY_NAMES: Record<EmailCategory, string> = {
  primary: 'Primary',
  promotions: 'Promotions',
  social: 'Social',
  updates: 'Updates',
  forums: 'Forums',
};
