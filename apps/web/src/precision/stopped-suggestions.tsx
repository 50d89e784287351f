import { t } from '@lingui/core/macro';
import type { StoppedSuggestion } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { ChartCard } from '../activity/charts/chart-card.tsx';
import { useApi } from '../api/api-context.tsx';
import { LoadMoreButton } from '../controls/list/load-more-button.tsx';
import { parseSender } from '../email/sender/sender.ts';
import { ErrorState } from '../feedback/error-state.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { pagedQuery } from '../queries/paged-list.ts';
import { PRECISION_KEY } from '../queries/query-keys.ts';
import shapes from '../shapes.module.css';
import { allowSuggestions } from '../suggestions/confirming/stopped-notice.ts';
import { toActionName } from '../suggestions/suggestion-words.ts';
import classes from './precision-screen.module.css';

const Stopped = ({ stopped }: { stopped: StoppedSuggestion }) => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const allow = useMutation({ mutationFn: () => allowSuggestions({ queryClient, client }, [stopped]) });
  const { name } = parseSender(stopped.from);
  const action = toActionName(stopped.action);
  return (
    <li className={classes.stopped}>
      <span className={classes.words}>
        <bdi>{name}</bdi>: {action}
      </span>
      <Button
        variant="default"
        loading={allow.isPending}
        aria-label={t`Allow again: ${{ action }}, ${{ name }}`}
        onClick={() => allow.mutate()}
      >
        {t`Allow again`}
      </Button>
    </li>
  );
};

/** What the user rejected three times in a row, with the way back. */
export const StoppedSuggestions = () => {
  const { client } = useApi();
  const query = useInfiniteQuery(
    pagedQuery([...PRECISION_KEY, 'stopped'], (page, signal) =>
      client.listStoppedSuggestions({ query: page, signal }),
    ),
  );
  const rows = query.data?.pages.flatMap((page) => page.data);
  return (
    <ChartCard
      title={t`No longer suggested`}
      note={t`You rejected it for three emails or more, one after another.`}
    >
      {query.isPending && <Skeleton height={48} />}
      {query.isError && !rows && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {rows?.length === 0 && <p className={classes.nothing}>{t`Everything is suggested.`}</p>}
      {rows && rows.length > 0 && (
        <ul className={`${shapes.plainList} ${classes.list}`} aria-label={t`No longer suggested`}>
          {rows.map((stopped) => (
            <Stopped key={stopped.id} stopped={stopped} />
          ))}
        </ul>
      )}
      <LoadMoreButton query={query} className={classes.more}>{t`Show more`}</LoadMoreButton>
    </ChartCard>
  );
};
