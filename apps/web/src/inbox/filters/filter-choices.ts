import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import type { EmailCategory } from '@mailsweep/contracts';
import type { Choice } from '../../controls/choice-chip.tsx';
import { CATEGORY_NAMES } from '../../email/categories.ts';

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

export const toCategoryChoices = (): readonly Choice<EmailCategory>[] => [
  { label: t`Any category`, value: undefined },
  ...Object.entries(CATEGORY_NAMES).map(([value, name]) => ({
    label: i18n._(name),
    value: value as EmailCategory,
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
