import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import chipClasses from '../../controls/choice-chip.module.css';
import { type Choice, ChoiceChip } from '../../controls/choice-chip.tsx';
import { useMailbox } from '../../session/use-mailbox.ts';
import shapes from '../../shapes.module.css';
import classes from './filter-bar.module.css';
import { toAgeChoices, toAttachmentChoices, toCategoryChoices, toScopeChoices } from './filter-choices.ts';
import { countFilters, type InboxFilters, NO_FILTERS } from './inbox-filters.ts';
import { SearchField } from './search-field.tsx';

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
