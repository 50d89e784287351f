import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import chipClasses from '../../controls/choice-chip.module.css';
import { ChoiceChip } from '../../controls/choice-chip.tsx';
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
  return (
    <search className={`${shapes.filterBar} ${classes.bar}`}>
      <SearchField filters={filters} onChange={onChange} onSearch={props.onSearch} />
      <fieldset className={classes.chips}>
        <legend className="sr-only">
          <Trans>Filters</Trans>
        </legend>
        <ChoiceChip
          name={t`Place`}
          value={filters.scope}
          choices={toScopeChoices()}
          onChange={(scope) => onChange({ scope })}
        />
        <button
          type="button"
          className={chipClasses.toggle}
          data-on={filters.unread || undefined}
          aria-pressed={filters.unread === true}
          onClick={() => onChange({ unread: filters.unread ? undefined : true })}
        >
          <Trans>Unread</Trans>
        </button>
        <ChoiceChip
          name={t`Age`}
          value={filters.olderThan}
          choices={toAgeChoices()}
          onChange={(olderThan) => onChange({ olderThan })}
        />
        <ChoiceChip
          name={t`Category`}
          value={filters.category}
          choices={toCategoryChoices()}
          onChange={(category) => onChange({ category })}
        />
        <ChoiceChip
          name={t`Attachments`}
          value={filters.minAttachmentSize}
          choices={toAttachmentChoices()}
          onChange={(minAttachmentSize) => onChange({ minAttachmentSize })}
        />
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
