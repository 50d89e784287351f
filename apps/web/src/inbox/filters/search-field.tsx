import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { useShortcuts } from '../../keyboard/keyboard-context.tsx';
import shapes from '../../shapes.module.css';
import classes from './filter-bar.module.css';
import { type InboxFilters, MAX_FIND_LENGTH, withoutSearch } from './inbox-filters.ts';

/**
 * Filters the loaded emails while the user types; Enter searches the whole mailbox, with the provider's operators.
 *
 * @param props.onSearch - called with what to search for
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
