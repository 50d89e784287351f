import type { EmailCategory } from '@mailsweep/contracts';
import type { Choice } from '../controls/choice-chip.tsx';
import { CATEGORY_NAMES } from '../email/categories.ts';

export const SCOPE_CHOICES: readonly Choice<'all'>[] = [
  { label: 'Inbox', value: undefined },
  { label: 'All mail', value: 'all' },
];

/** Days. */
export const AGE_CHOICES: readonly Choice<number>[] = [
  { label: 'Any age', value: undefined },
  { label: 'Older than a week', value: 7 },
  { label: 'Older than 30 days', value: 30 },
  { label: 'Older than 90 days', value: 90 },
  { label: 'Older than half a year', value: 182 },
  { label: 'Older than a year', value: 365 },
];

export const CATEGORY_CHOICES: readonly Choice<EmailCategory>[] = [
  { label: 'Any category', value: undefined },
  ...Object.entries(CATEGORY_NAMES).map(([value, label]) => ({ label, value: value as EmailCategory })),
];

/** MB. */
export const ATTACHMENT_CHOICES: readonly Choice<number>[] = [
  { label: 'Any attachment', value: undefined },
  { label: 'Over 1 MB attached', value: 1 },
  { label: 'Over 5 MB attached', value: 5 },
  { label: 'Over 10 MB attached', value: 10 },
  { label: 'Over 20 MB attached', value: 20 },
];
