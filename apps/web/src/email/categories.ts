import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { EmailCategory } from '@mailsweep/contracts';

/** The mailbox categories as the user knows them from the tabs of the provider. */
export const CATEGORY_NAMES: Record<EmailCategory, MessageDescriptor> = {
  primary: msg`Primary`,
  promotions: msg`Promotions`,
  social: msg`Social`,
  updates: msg`Updates`,
  forums: msg`Forums`,
};

/** In the order in which they are shown. */
export const CATEGORIES = Object.keys(CATEGORY_NAMES) as EmailCategory[];
