import { Button } from '@mantine/core';
import { IconFilterOff, IconMailOpened } from '@tabler/icons-react';
import { EmptyState } from '../feedback/empty-state.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { EmailGrid } from './email-grid.tsx';
import { EmailGridSkeleton } from './email-grid-skeleton.tsx';
import { countFilters, type InboxFilters } from './inbox-filters.ts';
import type { EmailListState } from './use-email-list.ts';
import type { Triage } from './use-triage.ts';

const NothingHere = (props: { filters: InboxFilters; onClear: () => void; onShowAll: () => void }) => {
  const { scope, ...others } = props.filters;
  if (countFilters(others) > 0)
    return (
      <EmptyState
        icon={<IconFilterOff />}
        title="No email matches these filters"
        actions={<Button onClick={props.onClear}>Clear the filters</Button>}
      >
        Loosen one of them, or look through all your mail instead of the inbox.
      </EmptyState>
    );
  if (scope === 'all')
    return (
      <EmptyState icon={<IconMailOpened />} title="Your mailbox is empty">
        New email shows up here by itself.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={<IconMailOpened />}
      title="Your inbox is empty"
      actions={
        <Button variant="default" onClick={props.onShowAll}>
          Show all mail
        </Button>
      }
    >
      Everything is dealt with. New email shows up here by itself.
    </EmptyState>
  );
};

/** The list in whatever state it is: loading, failed, empty, or full of email. */
export const InboxBody = (props: {
  list: EmailListState;
  triage: Triage;
  filters: InboxFilters;
  onChange: (change: Partial<InboxFilters>) => void;
  onOpen: (id: string) => void;
}) => {
  const { list, triage, filters, onChange } = props;
  if (list.isPending) return <EmailGridSkeleton />;
  if (list.error && list.loadedCount === 0) return <ErrorState error={list.error} onRetry={list.retry} />;
  if (list.emails.length === 0 && !list.hasNextPage) {
    return (
      <NothingHere
        filters={filters}
        onShowAll={() => onChange({ scope: 'all' })}
        onClear={() =>
          onChange({
            unread: undefined,
            olderThan: undefined,
            category: undefined,
            minAttachmentSize: undefined,
            find: undefined,
          })
        }
      />
    );
  }
  return <EmailGrid list={list} triage={triage} isFinding={Boolean(filters.find)} onOpen={props.onOpen} />;
};
