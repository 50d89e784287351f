import { Button } from '@mantine/core';
import { IconFilterOff, IconMailOpened, IconSparkles } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../feedback/empty-state.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { EmailGrid } from './email-grid.tsx';
import { EmailGridSkeleton } from './email-grid-skeleton.tsx';
import { countFilters, type InboxFilters } from './inbox-filters.ts';
import type { EmailListState } from './use-email-list.ts';
import type { Triage } from './use-triage.ts';

const NothingHere = (props: { isFiltered: boolean; onClear: () => void }) =>
  props.isFiltered ? (
    <EmptyState
      icon={<IconFilterOff />}
      title="No email matches these filters"
      actions={<Button onClick={props.onClear}>Clear the filters</Button>}
    >
      Loosen one of them, or look through all your mail instead of the inbox.
    </EmptyState>
  ) : (
    <EmptyState
      icon={<IconMailOpened />}
      title="Your inbox is empty"
      actions={
        <Button
          component={Link}
          to="/suggestions"
          leftSection={<IconSparkles size={16} aria-hidden="true" />}
        >
          See suggestions
        </Button>
      }
    >
      Everything is dealt with. New mail shows up here by itself.
    </EmptyState>
  );

/** The list in whatever state it is: loading, failed, empty, or full of email. */
export const InboxBody = (props: {
  list: EmailListState;
  triage: Triage;
  filters: InboxFilters;
  onChange: (change: Partial<InboxFilters>) => void;
  onOpen: () => void;
}) => {
  const { list, triage, filters, onChange } = props;
  if (list.isPending) return <EmailGridSkeleton />;
  if (list.error && list.loadedCount === 0) return <ErrorState error={list.error} onRetry={list.retry} />;
  if (list.emails.length === 0 && !list.hasNextPage) {
    return (
      <NothingHere
        isFiltered={countFilters(filters) > 0}
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
