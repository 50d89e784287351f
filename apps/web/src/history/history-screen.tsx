import { i18n, type MessageDescriptor } from '@lingui/core';
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { MAX_SEARCH_LENGTH } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconArrowBackUp, IconFilterOff, IconHistory } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { KeyCap, SelectionToolbar } from '../controls/list/selection-toolbar.tsx';
import { type Choice, ChoiceChip } from '../controls/select.tsx';
import { countEmails } from '../email/counts.ts';
import { EmptyState } from '../feedback/empty-state.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import shapes from '../shapes.module.css';
import { ScreenHeader } from '../shell/navigation/screen-header.tsx';
import { BatchList, HistorySkeleton } from './batches/batch-list.tsx';
import { type HistoryFilters, useHistory } from './filters/history-filters.ts';
import { ACTION_WORDS, SOURCE_WORDS } from './filters/history-words.tsx';
import classes from './history-screen.module.css';
import { countLeft, useBatchSelection, useUndoHistory } from './undo/use-undo-history.ts';

/** Each search reads the whole history. Unit: milliseconds. */
const SEARCH_PAUSE_MS = 300;

const toChoices = <T extends string>(any: string, words: Record<T, MessageDescriptor>): Choice<T>[] => [
  { label: any, value: undefined },
  ...(Object.keys(words) as T[]).map((value) => ({ label: i18n._(words[value]), value })),
];

const HistoryFilterBar = (props: {
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
        // Remounts the field empty when the filters are cleared.
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

const route = getRouteApi('/app/history');

/** @param props.onClear - clears the filters, if there are any */
const NothingDone = ({ onClear }: { onClear: (() => void) | undefined }) =>
  onClear ? (
    <EmptyState
      icon={<IconFilterOff />}
      title={t`No such action`}
      actions={
        <Button onClick={onClear}>
          <Trans>Show everything</Trans>
        </Button>
      }
    >
      <Trans>Nothing in your whole history matches. Loosen one of the filters.</Trans>
    </EmptyState>
  ) : (
    <EmptyState
      icon={<IconHistory />}
      title={t`Nothing has been done yet`}
      actions={
        <Button component={Link} to="/suggestions">
          <Trans>See suggestions</Trans>
        </Button>
      }
    >
      <Trans>Whatever you archive, delete or decide shows up here, and can be undone from here.</Trans>
    </EmptyState>
  );

export const HistoryScreen = () => {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const history = useHistory(filters);
  const undo = useUndoHistory();
  const selection = useBatchSelection(history.batches, undo);
  const onChange = (change: Partial<HistoryFilters>) =>
    void navigate({ search: (current) => ({ ...current, ...change }), replace: true, state: true });
  const isFiltered = Object.values(filters).some((filter) => filter !== undefined);
  const clear = () => onChange({ source: undefined, action: undefined, search: undefined });
  return (
    <div className={classes.screen}>
      <ScreenHeader
        title={t`History`}
        note={history.newest ? plural(history.newest.total, { one: '# action', other: '# actions' }) : ' '}
      />
      <HistoryFilterBar filters={filters} onChange={onChange} />
      {history.isPending ? (
        <HistorySkeleton />
      ) : history.batches.length > 0 ? (
        <BatchList history={history} search={filters.search} selection={selection} />
      ) : history.error ? (
        <ErrorState error={history.error} onRetry={history.retry} />
      ) : (
        <NothingDone onClear={isFiltered ? clear : undefined} />
      )}
      {selection.selected.length > 0 && (
        <SelectionToolbar
          label={t`Selected actions`}
          count={countEmails(selection.selected.reduce((sum, batch) => sum + countLeft(batch), 0))}
          onClear={selection.clear}
        >
          <Button
            leftSection={<IconArrowBackUp size={17} aria-hidden="true" />}
            onClick={selection.undoSelected}
          >
            <Trans>
              Undo <KeyCap>Shift Z</KeyCap>
            </Trans>
          </Button>
        </SelectionToolbar>
      )}
    </div>
  );
};
