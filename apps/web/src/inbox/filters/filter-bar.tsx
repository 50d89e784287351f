import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { EmailCategory } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import chipClasses from '../../controls/select.module.css';
import { type Choice, ChoiceChip } from '../../controls/select.tsx';
import { CATEGORIES, CATEGORY_NAMES } from '../../email/email-words.ts';
import { useShortcuts } from '../../keyboard/keyboard-context.tsx';
import { useMailbox } from '../../session/use-mailbox.ts';
import shapes from '../../shapes.module.css';
import classes from './filter-bar.module.css';
import {
  countFilters,
  type InboxFilters,
  MAX_FIND_LENGTH,
  NO_FILTERS,
  withoutSearch,
} from './inbox-filters.ts';

/**
 * Filters the loaded emails while the user types; Enter searches the whole mailbox with the provider's operators.
 *
 * @param props.onSearch - receives the search
 */
export const SearchField = (props: {
  filters: InboxFilters;
  onChange: (change: Partial<InboxFilters>) => void;
  onSearch: (words: string) => void;
}) => {
  const { filters, onChange, onSearch } = props;
  const input = useRef<HTMLInputElement>(null);
  const text = filters.find ?? filters.q ?? '';
  useShortcuts([
    { keys: ['/'], label: t`Search the mailbox`, group: 'Move', run: () => input.current?.select() },
  ]);
  const clear = () => onChange(withoutSearch(filters));
  const canSearch = text.trim() !== '' && text !== filters.q;
  const search = () => {
    if (canSearch) onSearch(text.trim());
    input.current?.blur();
  };
  return (
    <div className={classes.find} data-action={canSearch || undefined}>
      <IconSearch size={16} aria-hidden="true" />
      <input
        ref={input}
        type="search"
        enterKeyHint="search"
        maxLength={MAX_FIND_LENGTH}
        value={text}
        onChange={({ currentTarget: { value } }) => {
          if (value === '') clear();
          else onChange({ find: value === filters.q ? undefined : value });
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) search();
        }}
        placeholder={t`Search the mailbox`}
        aria-label={t`Search the mailbox`}
      />
      {canSearch ? (
        <Button size="compact-sm" variant="light" className={classes.searchAll} onClick={search}>
          <Trans>Search all mail</Trans>
          <span className={classes.enter} aria-hidden="true">
            ↵
          </span>
        </Button>
      ) : text === '' ? (
        <span className={classes.slash} aria-hidden="true">
          /
        </span>
      ) : (
        <button
          type="button"
          className={`${shapes.iconButton} ${classes.clear}`}
          aria-label={t`Clear the search`}
          onClick={() => {
            clear();
            input.current?.focus();
          }}
        >
          <IconX size={16} aria-hidden="true" />
        </button>
      )}
    </div>
  );
};

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

/** @param known - the mailbox's categories; all if undefined */
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
