import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconFilterOff, IconHistory } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EmptyState } from '../feedback/empty-state.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { HistorySkeleton } from './batches/history-skeleton.tsx';
import type { History } from './batches/use-history.ts';
import type { HistoryFilters } from './filters/history-filters.ts';

/** The history in whatever state it is; `children` when there is something to show. */
export const HistoryState = (props: {
  history: History;
  filters: HistoryFilters;
  onClear: () => void;
  children: ReactNode;
}) => {
  const { history, filters } = props;
  if (history.isPending) return <HistorySkeleton />;
  if (history.error && history.batches.length === 0)
    return <ErrorState error={history.error} onRetry={history.retry} />;
  if (history.batches.length > 0) return props.children;
  const isFiltered = Object.values(filters).some((filter) => filter !== undefined);
  if (!isFiltered) {
    return (
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
  }
  return (
    <EmptyState
      icon={<IconFilterOff />}
      title={t`No such action`}
      actions={
        <Button onClick={props.onClear}>
          <Trans>Show everything</Trans>
        </Button>
      }
    >
      <Trans>Nothing in your whole history matches. Loosen one of the filters.</Trans>
    </EmptyState>
  );
};
