import { plural, t } from '@lingui/core/macro';
import type { TokenScope } from '@mailsweep/contracts';

const YEAR_DAYS = 365;

/** Each includes those before it. */
export const TOKEN_SCOPES: readonly TokenScope[] = ['read', 'act', 'admin'];

/** Days that a new token may be given. */
export const TOKEN_DAYS = [7, 30, 90, 180, YEAR_DAYS] as const;

/** What a token may do, in a few words. */
export const toScopeName = (scope: TokenScope): string =>
  ({ read: t`Read only`, act: t`Read and clean up`, admin: t`All that programs may do` })[scope];

/** What a token may do, as a sentence. */
export const describeScope = (scope: TokenScope): string =>
  ({
    read: t`It sees senders, subjects, suggestions and your history.`,
    act: t`It also archives, deletes to the trash and labels email. All of it can be undone.`,
    admin: t`It also changes rules, protected senders and preferences, and unsubscribes.`,
  })[scope];

export const formatTokenDays = (days: number): string =>
  days === YEAR_DAYS ? t`1 year` : plural(days, { one: '# day', other: '# days' });
