import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconFilterOff, IconMailOpened, IconSearchOff } from '@tabler/icons-react';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { countFilters, type InboxFilters, NO_FILTERS, withoutSearch } from '../filters/inbox-filters.ts';

/** @param props.message - what is wrong with the search */
export const WrongSearch = (props: { q: string; message: string; onClear: () => void }) => (
  <div role="alert">
    <EmptyState
      icon={<IconSearchOff />}
      title={t`This search cannot be understood`}
      actions={
        <Button onClick={props.onClear}>
          <Trans>Clear the search</Trans>
        </Button>
      }
    >
      <bdi>{props.q}</bdi> {props.message}.
    </EmptyState>
  </div>
);

export const NothingHere = (props: {
  filters: InboxFilters;
  onChange: (change: Partial<InboxFilters>) => void;
  onSearch: (words: string) => void;
}) => {
  const { filters, onChange, onSearch } = props;
  const { scope, q, find, ...others } = filters;
  const clearFilters = (
    <Button variant="default" onClick={() => onChange({ ...NO_FILTERS, q, find, scope })}>
      <Trans>Clear the filters</Trans>
    </Button>
  );
  const isFiltered = countFilters(others) > 0;
  if (find !== undefined && find !== q)
    return (
      <EmptyState
        icon={<IconSearchOff />}
        title={t`None of the emails shown says “${find}”`}
        actions={
          <Button onClick={() => onSearch(find.trim())}>
            <Trans>Search all mail</Trans>
          </Button>
        }
      >
        <Trans>A search goes through the whole mailbox, and all of the text of the emails.</Trans>
      </EmptyState>
    );
  if (q !== undefined)
    return (
      <EmptyState
        icon={<IconSearchOff />}
        title={t`No email matches “${q}”`}
        actions={
          <>
            <Button onClick={() => onChange(withoutSearch(filters))}>
              <Trans>Clear the search</Trans>
            </Button>
            {isFiltered && clearFilters}
          </>
        }
      >
        {isFiltered
          ? t`The filters above apply as well.`
          : t`Try fewer words. Operators work too, such as from:, subject: and older_than:1y.`}
      </EmptyState>
    );
  if (isFiltered)
    return (
      <EmptyState
        icon={<IconFilterOff />}
        title={t`No email matches these filters`}
        actions={
          <Button onClick={() => onChange({ ...NO_FILTERS, scope })}>
            <Trans>Clear the filters</Trans>
          </Button>
        }
      >
        <Trans>Loosen one of them, or search all your mail instead of the inbox.</Trans>
      </EmptyState>
    );
  if (scope === 'all')
    return (
      <EmptyState icon={<IconMailOpened />} title={t`Your mailbox is empty`}>
        <Trans>New email appears here automatically.</Trans>
      </EmptyState>
    );
  return (
    <EmptyState
      icon={<IconMailOpened />}
      title={t`Your inbox is empty`}
      actions={
        <Button variant="default" onClick={() => onChange({ scope: 'all' })}>
          <Trans>Show all mail</Trans>
        </Button>
      }
    >
      <Trans>Everything is dealt with. New email appears here automatically.</Trans>
    </EmptyState>
  );
};
