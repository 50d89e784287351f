import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import type { EmailCategory } from '@mailsweep/contracts';
import type { Choice } from '../../controls/choice-chip.tsx';
import { CATEGORIES, CATEGORY_NAMES } from '../../email/categories.ts';

export const toScopeChoices = (): readonly Choice<'all'>[] => [
  { label: t`Inbox`, value: undefined },
  { label: t`All mail`, value: 'all' },
];

/** Days. */
export const toAgeChoices = (): readonly Choice<number>[] => [
  { label: t`Any age`, value: undefined },
  { label: t`Older than a week`, value: 7 },
  { label: t`Older than 30 days`, value: 30 },
  { label: t`Older than 90 days`, value: 90 },
  { label: t`Older than half a year`, value: 182 },
  { label: t`Older than a year`, value: 365 },
];

/** @param known - the categories that the mailbox has; all where that is not known */
export const toCategoryChoices = (
  known: readonly EmailCategory[] = CATEGORIES,
): readonly Choice<EmailCategory>[] => [
  { label: t`Any category`, value: undefined },
  ...CATEGORIES.filter((category) => known.includes(category)).map((value) => ({
    label: i18n._(CATEGORY_NAMES[value]),
    value,
  })),
];

/** MB. */
export const toAttachmentChoices = (): readonly Choice<number>[] => [
  { label: t`Any attachment`, value: undefined },
  { label: t`Over 1 MB attached`, value: 1 },
  { label: t`Over 5 MB attached`, value: 5 },
  { label: t`Over 10 MB attached`, value: 10 },
  { label: t`Over 20 MB attached`, value: 20 },
];
