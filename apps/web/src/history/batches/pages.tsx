import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Page } from '@mailsweep/contracts';
import { Button, Skeleton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { pagedQuery, toLoading } from '../../queries/paged-list.ts';
import { HISTORY_KEY } from '../../queries/query-keys.ts';
import classes from './batch-senders.module.css';

/** Entries shown at first, and with each further click. */
const ENTRIES_PER_PAGE = 50;

/** A list of the history, page by page. @param key - of the cache, after that of the history */
export const usePages = <Entry,>(
  key: readonly unknown[],
  read: (page: { page: number; perPage: number }, signal: AbortSignal) => Promise<Page<Entry>>,
) => {
  const query = useInfiniteQuery(pagedQuery([...HISTORY_KEY, ...key], read, { perPage: ENTRIES_PER_PAGE }));
  const entries = useMemo(() => query.data?.pages.flatMap((page) => page.data) ?? [], [query.data]);
  const loading = toLoading(query);
  return { entries, hidden: (loading.newest?.total ?? 0) - entries.length, ...loading };
};

/** The end of a list that is loaded page by page: what is still to come, or why it does not. */
export const PagesEnd = ({ pages }: { pages: ReturnType<typeof usePages<unknown>> }) => (
  <>
    {pages.isPending && (
      <li className={classes.more}>
        <Skeleton height={14} width="60%" aria-label={t`Loading its emails`} />
      </li>
    )}
    {pages.error && (
      <li className={classes.more}>
        <Button size="compact-sm" variant="light" onClick={pages.retry}>
          <Trans>Its emails could not be loaded: try again</Trans>
        </Button>
      </li>
    )}
    {pages.hidden > 0 && (
      <li className={classes.more}>
        <Button size="compact-sm" variant="light" loading={pages.isLoadingMore} onClick={pages.loadMore}>
          <Trans>Show {Math.min(pages.hidden, ENTRIES_PER_PAGE)} more</Trans>
        </Button>
      </li>
    )}
  </>
);
