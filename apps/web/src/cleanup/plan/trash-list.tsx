import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { MAX_PER_PAGE } from '@mailsweep/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { countEmails } from '../../email/counts.ts';
import shapes from '../../shapes.module.css';
import { EmailName } from './email-name.tsx';
import classes from './trash-list.module.css';

/** Unit: pixels; the same number is in trash-list.module.css. */
const ROW_HEIGHT = 30;
const OVERSCAN_ROWS = 6;

/** The emails of a plan that go to the trash, by sender and subject; pages are loaded as they come into sight. */
export const TrashList = ({ cleanupId, count }: { cleanupId: string; count: number }) => {
  const { client } = useApi();
  const scroll = useRef<HTMLElement>(null);
  const { data, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: ['cleanups', cleanupId, 'trash'],
    queryFn: ({ pageParam, signal }) =>
      client.listCleanupEmails({
        params: { id: cleanupId },
        query: { action: 'delete', page: pageParam, perPage: MAX_PER_PAGE },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ page, perPage, total }) => (page * perPage < total ? page + 1 : null),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const emails = data?.pages.flatMap((page) => page.data) ?? [];
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN_ROWS,
  });
  const lastRow = virtualizer.range?.endIndex ?? 0;
  useEffect(() => {
    if (lastRow >= emails.length - OVERSCAN_ROWS && hasNextPage && !isFetching) void fetchNextPage();
  });
  return (
    <>
      <h3 className={classes.title}>
        <Trans>{countEmails(count)} for the trash</Trans>
      </h3>
      <section
        ref={scroll}
        className={classes.scroll}
        style={{ height: Math.min(count, 7) * ROW_HEIGHT + 2 }}
        aria-label={t`Emails that move to Trash`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        tabIndex={0}
      >
        <ul
          className={`${shapes.virtualList} ${classes.list}`}
          style={{ height: virtualizer.getTotalSize() }}
        >
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const email = emails[index]?.email;
            return (
              <li
                key={index}
                aria-setsize={count}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${start}px)` }}
              >
                <EmailName email={email} />
              </li>
            );
          })}
        </ul>
      </section>
    </>
  );
};
