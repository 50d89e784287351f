import { Button } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import chipClasses from '../controls/choice-chip.module.css';
import { ChoiceChip } from '../controls/choice-chip.tsx';
import { useShortcuts } from '../keyboard/keyboard-context.tsx';
import classes from './filter-bar.module.css';
import { AGE_CHOICES, ATTACHMENT_CHOICES, CATEGORY_CHOICES, SCOPE_CHOICES } from './filter-choices.ts';
import { countFilters, type InboxFilters } from './inbox-filters.ts';

const FindField = ({ value, onChange }: { value: string; onChange: (find: string | undefined) => void }) => {
  const input = useRef<HTMLInputElement>(null);
  useShortcuts([
    { keys: ['/'], label: 'Find in the loaded emails', group: 'Move', run: () => input.current?.select() },
  ]);
  return (
    <div className={classes.find}>
      <IconSearch size={16} aria-hidden="true" />
      <input
        ref={input}
        type="search"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value || undefined)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' || event.key === 'Enter') event.currentTarget.blur();
        }}
        placeholder="Find sender or subject"
        aria-label="Find sender or subject in the loaded emails"
      />
      <span className={classes.slash} aria-hidden="true">
        /
      </span>
    </div>
  );
};

/** Every filter of the inbox; the address bar holds their values. */
export const FilterBar = (props: {
  filters: InboxFilters;
  onChange: (change: Partial<InboxFilters>) => void;
}): ReactNode => {
  const { filters, onChange } = props;
  const clear = () =>
    onChange({
      unread: undefined,
      olderThan: undefined,
      category: undefined,
      minAttachmentSize: undefined,
      find: undefined,
      scope: undefined,
    });
  return (
    <search className={classes.bar}>
      <FindField value={filters.find ?? ''} onChange={(find) => onChange({ find })} />
      <fieldset className={classes.chips}>
        <legend className="sr-only">Filters</legend>
        <ChoiceChip
          name="Place"
          value={filters.scope}
          choices={SCOPE_CHOICES}
          onChange={(scope) => onChange({ scope })}
        />
        <button
          type="button"
          className={chipClasses.toggle}
          data-on={filters.unread || undefined}
          aria-pressed={filters.unread === true}
          onClick={() => onChange({ unread: filters.unread ? undefined : true })}
        >
          Unread
        </button>
        <ChoiceChip
          name="Age"
          value={filters.olderThan}
          choices={AGE_CHOICES}
          onChange={(olderThan) => onChange({ olderThan })}
        />
        <ChoiceChip
          name="Category"
          value={filters.category}
          choices={CATEGORY_CHOICES}
          onChange={(category) => onChange({ category })}
        />
        <ChoiceChip
          name="Attachments"
          value={filters.minAttachmentSize}
          choices={ATTACHMENT_CHOICES}
          onChange={(minAttachmentSize) => onChange({ minAttachmentSize })}
        />
        {countFilters(filters) > 0 && (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconX size={14} aria-hidden="true" />}
            onClick={clear}
          >
            Clear
          </Button>
        )}
      </fieldset>
    </search>
  );
};
