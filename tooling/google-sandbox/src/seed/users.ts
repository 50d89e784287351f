import type { User } from '../mailbox/mailbox-seed.ts';

/** Someone who can sign in at the sandbox of the local stack. */
export interface SeededUser {
  user: User;
  /** How much of all mail reaches them, 0 to 1. */
  share: number;
  /** Whether Gmail sorts their mail into categories; not with the tabs turned off (huacnlee/omamail#19). */
  hasCategories: boolean;
  description: string;
}

/** Whose mailbox is made when they first sign in. */
export const LARGE_USER: Omit<SeededUser, 'share' | 'hasCategories'> = {
  user: { email: 'mary@example.com', givenName: 'Mary', familyName: 'Jackson', locale: 'en' },
  description: 'about 10,000 emails, made when you first sign in',
};

export const SEEDED_USERS: readonly SeededUser[] = [
  {
    user: { email: 'ada@example.com', givenName: 'Ada', familyName: 'Lovelace', locale: 'en' },
    share: 0.8,
    hasCategories: true,
    description: 'about 1,500 emails over three years',
  },
  {
    user: { email: 'grace@example.com', givenName: 'Grace', familyName: 'Hopper', locale: 'en' },
    share: 0.08,
    hasCategories: true,
    description: 'about 150 emails',
  },
  {
    user: { email: 'katherine@example.com', givenName: 'Katherine', familyName: 'Johnson', locale: 'en' },
    share: 0,
    hasCategories: true,
    description: 'an empty mailbox',
  },
  {
    user: { email: 'dorothy@example.com', givenName: 'Dorothy', familyName: 'Vaughan', locale: 'en' },
    share: 0.04,
    hasCategories: false,
    description: 'about 75 emails, none with a category',
  },
];
