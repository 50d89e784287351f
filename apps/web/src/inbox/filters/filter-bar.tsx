import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { EmailCategory } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import chipClasses from '../../controls/choice-chip.module.css';
import { type Choice, ChoiceChip } from '../../controls/choice-chip.tsx';
import { CATEGORIES, CATEGORY_NAMES } from '../../email/categories.ts';
import { useMailbox } from '../../session/use-mailbox.ts';
import shapes from '../../shapes.module.css';
import classes from './filter-bar.module.css';
import { countFilters, type InboxFilters, NO_FILTERS } from './inbox-filters.ts';
import { SearchField } from './search-field.tsx';

const toScopeChoices = (): readonly Choice<'all'>[] => [
  { label: t`Inbox`, value: undefined },
  { label: t`All mail`, value: 'all' },
];

/** Days. */
const toAgeChoices = (): readonly Choice<number>[] => [
  { label: t`Any age`, value: undefined },
  { label: t`Older than a week`, value: 7 },
  { label: t`Older than 30 days`, value: 30 },
  { label: t`Older than 90 days`, value: 90 },
  { label: t`Older than half a year`, value: 182 },
  { label: t`Older than a year`, value: 365 },
];

/** @param known - the categories that the mailbox has; all where that is not known */
const toCategoryChoices = (
  known: readonly EmailCategory[] = CATEGORIES,
): readonly Choice<EmailCategory>[] => [
  { label: t`Any category`, value: undefined },
  ...CATEGORIES.filter((category) => known.includes(category)).map((value) => ({
    label: i18n._(CATEGORY_NAMES[value]),
    value,
  })),
];

/** MB. */
const toAttachmentChoices = (): readonly Choice<number>[] => [
  { label: t`Any attachment`, value: undefined },
  { label: t`Over 1 MB attached`, value: 1 },
  { label: t`Over 5 MB attached`, value: 5 },
  { label: t`Over 10 MB attached`, value: 10 },
  { label: t`Over 20 MB attached`, value: 20 },
];

/** Every filter of the inbox; the address bar holds their values. */
export const FilterBar = (props: {
  filters: InboxFilters;
  onChange: (change: Partial<InboxFilters>) => void;
  onSearch: (words: string) => void;
}): ReactNode => {
  const { filters, onChange } = props;
  const mailbox = useMailbox();
  const chip = <K extends keyof InboxFilters>(
    filter: K,
    name: string,
    choices: readonly Choice<NonNullable<InboxFilters[K]>>[],
  ) => (
    <ChoiceChip
      name={name}
      value={filters[filter] as NonNullable<InboxFilters[K]> | undefined}
      choices={choices}
      onChange={(value) => onChange({ [filter]: value })}
    />
  );
  return (
    <search className={`${shapes.filterBar} ${classes.bar}`}>
      <SearchField filters={filters} onChange={onChange} onSearch={props.onSearch} />
      <fieldset className={classes.chips}>
        <legend className="sr-only">
          <Trans>Filters</Trans>
        </legend>
        {chip('scope', t`Place`, toScopeChoices())}
        <button
          type="button"
          className={chipClasses.toggle}
          data-on={filters.unread || undefined}
          aria-pressed={filters.unread === true}
          onClick={() => onChange({ unread: filters.unread ? undefined : true })}
        >
          <Trans>Unread</Trans>
        </button>
        {chip('olderThan', t`Age`, toAgeChoices())}
        {chip('category', t`Category`, toCategoryChoices(mailbox?.categories))}
        {chip('minAttachmentSize', t`Attachments`, toAttachmentChoices())}
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconX size={14} aria-hidden="true" />}
          data-nothing={countFilters(filters) === 0 || undefined}
          onClick={() => onChange(NO_FILTERS)}
        >
          <Trans>Clear</Trans>
        </Button>
      </fieldset>
    </search>
  );
};
