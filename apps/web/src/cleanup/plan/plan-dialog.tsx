import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { CleanupPlan, CreateCleanupRequest } from '@mailsweep/contracts';
import { Button, Group, Loader } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { beginGesture } from '../../api/gesture.ts';
import { Dialog } from '../../controls/dialog.tsx';
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

/**
 * Has the server plan a cleanup, shows its exact numbers and some of its emails, and asks for confirmation.
 *
 * @param props.question - the same object while the dialog asks the same; null while it is closed
 */
export const PlanDialog = (props: {
  question: CleanupQuestion | null;
  onClose: () => void;
  onYes: (plan: CleanupPlan) => void;
}) => {
  const { question, onClose, onYes } = props;
  const { client } = useApi();
  const planning = useMutation({
    mutationFn: (request: CreateCleanupRequest) =>
      client.createCleanup({ body: request, idempotencyKey: beginGesture().keyOf(0) }),
  });
  const { mutate, reset, error } = planning;
  useEffect(() => {
    reset();
    if (question && !question.plan) mutate(question.request);
  }, [question, mutate, reset]);

  const plan = question?.plan ?? planning.data;
  const total = plan?.total ?? 0;
  const trashed = plan?.plannedActions.delete ?? 0;
  return (
    <Dialog
      opened={question !== null}
      onClose={onClose}
      title={plan ? askToRun(plan.action, total) : t`Looking for every matching email…`}
      closeLabel={t`Cancel`}
    >
      {error && question && <ErrorState error={error} onRetry={() => mutate(question.request)} />}
      {!plan && !error && (
        <p className={classes.note} role="status">
          <Loader size="xs" aria-hidden="true" /> <Trans>Nothing is changed yet.</Trans>
        </p>
      )}
      {plan && <PlanDetails plan={plan} />}
      <Group justify="flex-end">
        {/* The key of the action may be followed by Enter without a look at the number. */}
        <Button variant="default" onClick={onClose} data-autofocus>
          <Trans>Cancel</Trans>
        </Button>
        {plan && total > 0 && (
          <Button {...(trashed > 0 && { color: 'red.8' })} onClick={() => onYes(plan)}>
            {trashed === total ? t`Move ${formatCount(total)} to Trash` : t`Yes, all ${formatCount(total)}`}
          </Button>
        )}
      </Group>
    </Dialog>
  );
};
