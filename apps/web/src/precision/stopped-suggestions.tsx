import { t } from '@lingui/core/macro';
import type { StoppedSuggestion } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { ChartCard } from '../activity/chart-card.tsx';
import { useApi } from '../api/api-context.tsx';
import { describeError } from '../api/describe-error.ts';
import { LoadMoreButton } from '../controls/load-more-button.tsx';
import { parseSender } from '../email/sender.ts';
import { ErrorState } from '../feedback/error-state.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { showToast } from '../feedback/toasts.tsx';
import { SENDERS_KEY, SUGGESTIONS_KEY } from '../queries/query-keys.ts';
import { toActionName } from '../suggestions/suggestion-words.ts';
import { PRECISION_KEY, stoppedQuery } from './precision-queries.ts';
import classes from './precision-screen.module.css';

const useAllow = () => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: StoppedSuggestion) => client.allowSuggestion({ params: { id } }),
    onSuccess: async () => {
      showToast({ tone: 'done', title: t`It may be suggested again` });
      await Promise.all(
        [PRECISION_KEY, SUGGESTIONS_KEY, SENDERS_KEY].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      );
    },
    onError: (error) => {
      const { title, advice } = describeError(error);
      showToast({ title: t`Nothing was changed: ${{ reason: title }}`, detail: advice, tone: 'failed' });
    },
  });
};

const Stopped = ({ stopped }: { stopped: StoppedSuggestion }) => {
  const allow = useAllow();
  const name = parseSender(stopped.from).name || t`Unknown sender`;
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
        onClick={() => allow.mutate(stopped)}
      >
        {t`Allow again`}
      </Button>
    </li>
  );
};

/** What the user rejected three times in a row, with the way back. */
export const StoppedSuggestions = () => {
  const { client } = useApi();
  const query = useInfiniteQuery(stoppedQuery(client));
  const rows = query.data?.pages.flatMap((page) => page.data);
  return (
    <ChartCard
      title={t`No longer suggested`}
      note={t`You rejected this for three emails of the sender in a row.`}
    >
      {query.isPending && <Skeleton height={48} />}
      {query.isError && !rows && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {rows?.length === 0 && <p className={classes.nothing}>{t`Everything is suggested.`}</p>}
      {rows && rows.length > 0 && (
        <ul className={classes.list} aria-label={t`No longer suggested`}>
          {rows.map((stopped) => (
            <Stopped key={stopped.id} stopped={stopped} />
          ))}
        </ul>
      )}
      <LoadMoreButton query={query} className={classes.more}>{t`Show more`}</LoadMoreButton>
    </ChartCard>
  );
};
