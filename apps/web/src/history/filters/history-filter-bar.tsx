import { i18n, type MessageDescriptor } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { MAX_SEARCH_LENGTH } from '@mailsweep/contracts';
import { useDebouncedCallback } from '@mantine/hooks';
import { type Choice, ChoiceChip } from '../../controls/choice-chip.tsx';
import shapes from '../../shapes.module.css';
import type { HistoryFilters } from './history-filters.ts';
import { ACTION_WORDS, SOURCE_WORDS } from './history-words.ts';

/** Each search goes through all emails of the history, so it waits for a pause in the typing. */
const SEARCH_PAUSE_MS = 300;

const toChoices = <T extends string>(any: string, words: Record<T, MessageDescriptor>): Choice<T>[] => [
  { label: any, value: undefined },
  ...(Object.keys(words) as T[]).map((value) => ({ label: i18n._(words[value]), value })),
];

/** Which part of the history to show; the address bar holds the choice. */
export const HistoryFilterBar = (props: {
  filters: HistoryFilters;
  onChange: (change: Partial<HistoryFilters>) => void;
}) => {
  const { filters, onChange } = props;
  const search = useDebouncedCallback(
    (text: string) => onChange({ search: text.trim() || undefined }),
    SEARCH_PAUSE_MS,
  );
  return (
    <search className={shapes.filterBar}>
      <input
        // It is empty again once the filters are cleared.
        key={filters.search === undefined ? 'none' : 'some'}
        className={shapes.textField}
        type="search"
        defaultValue={filters.search}
        maxLength={MAX_SEARCH_LENGTH}
        aria-label={t`Search the history`}
        placeholder={t`Sender or subject`}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => search(event.currentTarget.value)}
      />
      <ChoiceChip
        name={t`Source`}
        value={filters.source}
        choices={toChoices(t`From anywhere`, SOURCE_WORDS)}
        onChange={(source) => onChange({ source })}
      />
      <ChoiceChip
        name={t`Action`}
        value={filters.action}
        choices={toChoices(t`Any action`, ACTION_WORDS)}
        onChange={(action) => onChange({ action })}
      />
    </search>
  );
};
