import { Button, Menu } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconCheck, IconChevronDown, IconSearch, IconX } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { useShortcuts } from '../keyboard/keyboard-context.tsx';
import classes from './filter-bar.module.css';
import { AGE_CHOICES, ATTACHMENT_CHOICES, CATEGORY_CHOICES, type Choice, SCOPE_CHOICES } from './filter-choices.ts';
import { countFilters, type InboxFilters } from './inbox-filters.ts';

const FilterMenu = <T,>(props: {
  name: string;
  value: T | undefined;
  choices: readonly Choice<T>[];
  onChange: (value: T | undefined) => void;
}) => {
  const chosen = props.choices.find((choice) => choice.value === props.value) ?? props.choices[0];
  const isOn = props.value !== undefined;
  return (
    <Menu position="bottom-start" shadow="md" transitionProps={{ duration: 80 }}>
      <Menu.Target>
        <button type="button" className={classes.chip} data-on={isOn || undefined}>
          {isOn ? (
            <>
              <span className="sr-only">{props.name}: </span>
              {chosen?.label}
            </>
          ) : (
            props.name
          )}
          <IconChevronDown size={14} aria-hidden="true" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {props.choices.map((choice) => (
          <Menu.Item
            key={choice.label}
            onClick={() => props.onChange(choice.value)}
            rightSection={choice === chosen ? <IconCheck size={15} aria-label="chosen" /> : <span className={classes.noTick} />}
          >
            {choice.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};

const FindField = ({ value, onChange }: { value: string; onChange: (find: string | undefined) => void }) => {
  const input = useRef<HTMLInputElement>(null);
  useShortcuts([
    { keys: ['/'], label: 'Find in the loaded mail', group: 'Move', run: () => input.current?.select() },
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
        aria-label="Find sender or subject in the loaded mail"
      />
      <kbd className={classes.slash} aria-hidden="true">
        /
      </kbd>
    </div>
  );
};

/** Every filter of the inbox; the address bar holds their values. */
export const FilterBar = (props: { filters: InboxFilters; onChange: (change: Partial<InboxFilters>) => void }): ReactNode => {
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
        <IconAdjustmentsHorizontal size={16} className={classes.chipsIcon} aria-hidden="true" />
        <FilterMenu name="Inbox" value={filters.scope} choices={SCOPE_CHOICES} onChange={(scope) => onChange({ scope })} />
        <button
          type="button"
          className={classes.chip}
          data-on={filters.unread || undefined}
          aria-pressed={filters.unread === true}
          onClick={() => onChange({ unread: filters.unread ? undefined : true })}
        >
          Unread
        </button>
        <FilterMenu name="Any age" value={filters.olderThan} choices={AGE_CHOICES} onChange={(olderThan) => onChange({ olderThan })} />
        <FilterMenu
          name="Any category"
          value={filters.category}
          choices={CATEGORY_CHOICES}
          onChange={(category) => onChange({ category })}
        />
        <FilterMenu
          name="Any attachment"
          value={filters.minAttachmentSize}
          choices={ATTACHMENT_CHOICES}
          onChange={(minAttachmentSize) => onChange({ minAttachmentSize })}
        />
        {countFilters(filters) > 0 && (
          <Button size="compact-sm" variant="subtle" leftSection={<IconX size={14} aria-hidden="true" />} onClick={clear}>
            Clear
          </Button>
        )}
      </fieldset>
    </search>
  );
};
