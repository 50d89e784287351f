import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { CleanupPlan, CreateCleanupRequest } from '@mailsweep/contracts';
import { Button, Loader } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { beginGesture } from '../../api/gesture.ts';
import { Dialog } from '../../controls/dialog.tsx';
import { DialogButtons } from '../../controls/dialog-buttons.tsx';
import { formatCount } from '../../email/counts.ts';
import { ErrorState } from '../../feedback/error-state.tsx';
import { askToRun } from './cleanup-words.ts';
import { PlanDetails } from './plan-details.tsx';
import classes from './plan-dialog.module.css';

/** What a cleanup is to do, and to which emails; `plan` where the server has planned it already. */
export interface CleanupQuestion {
  request: CreateCleanupRequest;
  plan?: CleanupPlan;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Has the server plan a cleanup, shows its exact numbers and its emails, and asks for confirmation. Emails can be unticked.
 *
 * @param props.question - the same object while the dialog asks the same; null while it is closed
 */
export const PlanDialog = (props: {
  question: CleanupQuestion | null;
  onClose: () => void;
  onYes: (plan: CleanupPlan) => void;
  /** What else can be chosen once the plan is shown. @param isWhole - whether all its emails are ticked */
  children?: (isWhole: boolean) => ReactNode;
}) => {
  const { question, onClose, onYes } = props;
  const { client } = useApi();
  const planning = useMutation({
    mutationFn: (request: CreateCleanupRequest) =>
      client.createCleanup({ body: request, idempotencyKey: beginGesture().keyOf(0) }),
  });
  const { mutate, reset, error, isPending } = planning;
  const [unticked, setUnticked] = useState<ReadonlySet<string>>(NONE);
  useEffect(() => {
    reset();
    setUnticked(NONE);
    if (question && !question.plan) mutate(question.request);
  }, [question, mutate, reset]);

  const plan = isPending ? undefined : (planning.data ?? question?.plan);
  const total = plan?.total ?? 0;
  const chosen = Math.max(0, total - unticked.size);
  const trashed = plan?.plannedActions.delete ?? 0;
  const leftOut = {
    ids: unticked,
    toggle: (id: string) => {
      const next = new Set(unticked);
      if (!next.delete(id)) next.add(id);
      setUnticked(next);
    },
  };
  /** Without the unticked emails it is another plan, which runs at once where it has no others. */
  const run = (shown: CleanupPlan) => {
    if (unticked.size === 0) return onYes(shown);
    const { selection } = shown;
    const except = [...selection.except, ...unticked];
    const { action, label } = shown;
    const request = { action, ...(label !== null && { label }), selection: { ...selection, except } };
    mutate(request, {
      onSuccess: (next) => {
        setUnticked(NONE);
        if (next.total > 0 && next.total <= chosen) onYes(next);
      },
    });
  };
  return (
    <Dialog
      opened={question !== null}
      onClose={onClose}
      title={plan ? askToRun(plan.action, chosen) : t`Looking for every matching email…`}
      closeLabel={t`Cancel`}
    >
      {error && question && <ErrorState error={error} onRetry={() => mutate(question.request)} />}
      {!plan && !error && (
        <p className={classes.note} role="status">
          <Loader size="xs" aria-hidden="true" /> <Trans>Nothing is changed yet.</Trans>
        </p>
      )}
      {plan && <PlanDetails plan={plan} leftOut={plan.ruleId === null ? leftOut : undefined} />}
      {plan && total > 0 && props.children?.(unticked.size === 0)}
      <DialogButtons onCancel={onClose} hasFocus>
        {plan && total > 0 && (
          <Button {...(trashed > 0 && { color: 'red.8' })} disabled={chosen === 0} onClick={() => run(plan)}>
            {trashed === total ? t`Move ${formatCount(chosen)} to Trash` : t`Yes, all ${formatCount(chosen)}`}
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  );
};
