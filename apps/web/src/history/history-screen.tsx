import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { KeyCap, SelectionToolbar } from '../controls/list/selection-toolbar.tsx';
import { countEmails } from '../email/counts.ts';
import { ScreenHeader } from '../shell/navigation/screen-header.tsx';
import { BatchList } from './batches/batch-list.tsx';
import { useHistory } from './batches/use-history.ts';
import { HistoryFilterBar } from './filters/history-filter-bar.tsx';
import type { HistoryFilters } from './filters/history-filters.ts';
import classes from './history-screen.module.css';
import { HistoryState } from './history-state.tsx';
import { countLeft } from './undo/history-batches.ts';
import { useBatchSelection } from './undo/use-batch-selection.ts';
import { useUndoHistory } from './undo/use-undo-history.ts';

const route = getRouteApi('/app/history');

/** Everything that was done, with the way back. */
export const HistoryScreen = () => {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const history = useHistory(filters);
  const undo = useUndoHistory();
  const selection = useBatchSelection(history.batches, undo);
  const onChange = (change: Partial<HistoryFilters>) =>
    void navigate({ search: (current) => ({ ...current, ...change }), replace: true, state: true });
  return (
    <div className={classes.screen}>
      <ScreenHeader
        title={t`History`}
        note={history.newest ? plural(history.newest.total, { one: '# action', other: '# actions' }) : ' '}
      />
      <HistoryFilterBar filters={filters} onChange={onChange} />
      <HistoryState
        history={history}
        filters={filters}
        onClear={() => onChange({ source: undefined, action: undefined, search: undefined })}
      >
        <BatchList history={history} search={filters.search} selection={selection} />
      </HistoryState>
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
