import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Cleanup, CleanupPlan } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { Verbatim } from '../controls/verbatim.tsx';
import { showToast, toFailure } from '../feedback/toasts.tsx';
import { formatExact } from '../time/format-time.tsx';
import classes from './cleanup-banner.module.css';
import { refreshAfterCleanup } from './cleanup-query.ts';
import { askToRun, describeExclusions, describeSelection } from './plan/cleanup-words.ts';
import { type CleanupQuestion, PlanDialog } from './plan/plan-dialog.tsx';
import { useRunCleanup } from './use-planned-cleanup.ts';

/** A program's cleanup, which runs only after confirmation. */
export const CleanupRequest = ({ cleanup }: { cleanup: Cleanup }) => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const run = useRunCleanup();
  const [question, setQuestion] = useState<CleanupQuestion | null>(null);
  const params = { id: cleanup.id };
  const onError = (error: unknown) => void showToast(toFailure(error));
  const decline = useMutation({
    mutationFn: () => client.cancelCleanup({ params }),
    onSuccess: () => refreshAfterCleanup(queryClient),
    onError,
  });
  const look = useMutation({
    mutationFn: () => client.getCleanup({ params }),
    onSuccess: (plan) => {
      const { action, label, selection } = plan;
      setQuestion({ request: { action, ...(label !== null && { label }), selection }, plan });
    },
    onError,
  });
  const confirm = (plan: Cleanup | CleanupPlan) => {
    setQuestion(null);
    // With emails unticked it is another plan.
    if (plan.id !== cleanup.id) decline.mutate();
    run(plan);
  };
  const program = cleanup.askedBy ?? '';
  const { total, label } = cleanup;
  const details = [
    t`Asked for: ${{ selection: describeSelection(cleanup.selection) }}.`,
    label === null ? '' : t`Label: ${label}.`,
    describeExclusions(cleanup.excluded),
    t`Waits until ${{ time: formatExact(new Date(cleanup.expiresAt)) }}.`,
  ];
  return (
    <section className={classes.banner} aria-label={t`Confirmation request`} data-paused>
      <div className={classes.words}>
        <strong>
          <Trans>
            “<Verbatim text={program} />” asks: {askToRun(cleanup.action, total)}
          </Trans>
        </strong>
        <span>{details.filter(Boolean).join(' ')}</span>
      </div>
      <div className={classes.actions}>
        <Button size="compact-sm" onClick={() => confirm(cleanup)}>
          <Trans>Confirm</Trans>
        </Button>
        <Button size="compact-sm" variant="default" loading={look.isPending} onClick={() => look.mutate()}>
          <Trans>Show emails</Trans>
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          loading={decline.isPending}
          onClick={() => decline.mutate()}
        >
          <Trans>Decline</Trans>
        </Button>
      </div>
      {question && <PlanDialog question={question} onClose={() => setQuestion(null)} onYes={confirm} />}
    </section>
  );
};
