import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Cleanup } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useApi } from '../api/api-context.tsx';
import { formatShare } from '../email/counts.ts';
import { describeWork } from '../email/email-words.ts';
import { showToast, toFailure } from '../feedback/toasts.tsx';
import classes from './cleanup-banner.module.css';
import {
  followedCleanupsQuery,
  isAwaitingConfirmation,
  isInProgress,
  refreshAfterCleanup,
  unfinishedCleanupsQuery,
} from './cleanup-query.ts';
import { CleanupRequests } from './cleanup-requests.tsx';
import { describeProgress, describeReason, describeResult } from './plan/cleanup-words.ts';

type Command = 'pauseCleanup' | 'resumeCleanup' | 'cancelCleanup';

const Line = ({ cleanup }: { cleanup: Cleanup }) => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: (command: Command) => client[command]({ params: { id: cleanup.id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: unfinishedCleanupsQuery(client).queryKey }),
    onError: (error) => showToast(toFailure(error)),
  });
  const isPaused = cleanup.state === 'paused';
  const reason = describeReason(cleanup);
  return (
    <section
      className={classes.banner}
      aria-label={t`Cleanup in progress`}
      data-paused={isPaused || undefined}
    >
      <div className={classes.words}>
        <strong>
          {isPaused
            ? t`Paused at ${describeProgress(cleanup)} emails`
            : describeWork(cleanup.action, cleanup.total)}
        </strong>
        <span>{isPaused ? reason : [describeProgress(cleanup), reason].filter(Boolean).join(' · ')}</span>
      </div>
      <progress
        className={classes.progress}
        max={cleanup.total}
        value={cleanup.processed}
        aria-label={t`Cleanup: ${formatShare(cleanup.processed / Math.max(1, cleanup.total))}`}
      />
      <div className={classes.actions}>
        <Button
          size="compact-sm"
          variant={isPaused ? 'filled' : 'default'}
          loading={isPending}
          onClick={() => mutate(isPaused ? 'resumeCleanup' : 'pauseCleanup')}
        >
          {isPaused ? t`Resume` : t`Pause`}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => mutate('cancelCleanup')}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </section>
  );
};

/**
 * Progress of cleanups that other tabs started, or this one before a reload, with pause, resume and cancel. Cleanups
 * of this page have a toast.
 */
export const CleanupBanner = () => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const { data: followed = [] } = useQuery(followedCleanupsQuery);
  const { data: unfinished = [] } = useQuery(unfinishedCleanupsQuery(client));
  const shown = unfinished.filter(
    (cleanup) => !(followed.includes(cleanup.id) || isAwaitingConfirmation(cleanup)),
  );

  const before = useRef(shown);
  useEffect(() => {
    const ended = before.current.filter(
      ({ id }) => !unfinished.some((other) => other.id === id) && !followed.includes(id),
    );
    before.current = shown;
    if (ended.length === 0) return;
    void refreshAfterCleanup(queryClient);
    for (const { id } of ended) {
      void client.getCleanup({ params: { id } }).then(
        (cleanup) => {
          if (isInProgress(cleanup)) return;
          const tone = cleanup.state === 'completed' ? 'done' : 'failed';
          showToast({ ...describeResult(cleanup), tone });
        },
        () => undefined,
      );
    }
  });
  return (
    <>
      <CleanupRequests />
      {shown.map((cleanup) => (
        <Line key={cleanup.id} cleanup={cleanup} />
      ))}
    </>
  );
};
