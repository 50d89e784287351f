import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconArrowBackUp, IconFilterOff, IconHistory } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { KeyCap, SelectionToolbar } from '../controls/list/selection-toolbar.tsx';
import { countEmails } from '../email/counts.ts';
import { EmptyState } from '../feedback/empty-state.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { ScreenHeader } from '../shell/navigation/screen-header.tsx';
import { BatchList, HistorySkeleton } from './batches/batch-list.tsx';
import { useHistory } from './batches/use-history.ts';
import { HistoryFilterBar } from './filters/history-filter-bar.tsx';
import type { HistoryFilters } from './filters/history-filters.ts';
import classes from './history-screen.module.css';
import { countLeft } from './undo/history-batches.ts';
import { useBatchSelection } from './undo/use-batch-selection.ts';
import { useUndoHistory } from './undo/use-undo-history.ts';

const route = getRouteApi('/app/history');

/** Why there is nothing to show. @param props.onClear - takes the filters away, where there are any */
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

/** Everything that was done, with the way back. */
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
