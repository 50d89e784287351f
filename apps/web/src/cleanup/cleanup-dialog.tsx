import type { CleanupPlan, InboxAction } from '@mailsweep/contracts';
import { Button, Group, Loader } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useApi } from '../api/api-context.tsx';
import { beginGesture } from '../api/gesture.ts';
import { Dialog } from '../controls/dialog.tsx';
import { formatCount } from '../email/counts.ts';
import { parseSender } from '../email/sender.ts';
import { ErrorState } from '../feedback/error-state.tsx';
import classes from './cleanup-dialog.module.css';
import { askToRun, describeExclusions } from './cleanup-words.ts';
import { useRunCleanup } from './use-run-cleanup.ts';

/** Emails of the plan that are shown. */
const SAMPLE_SHOWN = 5;

/** Filters of the list whose emails are all meant. */
export type MatchingFilters = Omit<
  Extract<CleanupPlan['selection'], { type: 'filter' }>,
  'type' | 'except' | 'scope'
> & { scope?: 'all' | undefined };

/**
 * Plans an action on every email that filters match, also those that are not loaded, shows the exact number and some of
 * the emails, and runs it once the user agrees.
 *
 * @param props.action - null while the dialog is closed
 */
export const CleanupDialog = (props: {
  action: InboxAction | null;
  filters: MatchingFilters;
  onClose: () => void;
  /** Called when the cleanup starts. */
  onStart: () => void;
}) => {
  const { action, filters, onClose, onStart } = props;
  const { client } = useApi();
  const start = useRunCleanup();
  const planning = useMutation({
    mutationFn: (wanted: InboxAction) =>
      client.createCleanup({
        body: {
          action: wanted,
          selection: { type: 'filter', scope: 'inbox', except: [], ...filters },
        },
        idempotencyKey: beginGesture().keyOf(0),
      }),
  });
  const { mutate, reset, data: plan, error } = planning;
  useEffect(() => {
    if (action === null) reset();
    else mutate(action);
  }, [action, mutate, reset]);

  const run = () => {
    if (plan === undefined || action === null) return;
    onClose();
    onStart();
    start(plan, action);
  };
  const total = plan?.total ?? 0;
  return (
    <Dialog
      opened={action !== null}
      onClose={onClose}
      title={plan && action ? askToRun(action, total) : 'Looking for every matching email…'}
      closeLabel="Cancel"
    >
      {error && action && <ErrorState error={error} onRetry={() => mutate(action)} />}
      {!plan && !error && (
        <p className={classes.note} role="status">
          <Loader size="xs" aria-hidden="true" /> Nothing is changed yet.
        </p>
      )}
      {plan && <PlanSummary plan={plan} />}
      <Group justify="flex-end">
        {/* The key of the action may be followed by Enter without a look at the number. */}
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        {plan && total > 0 && (
          <Button {...(action === 'delete' && { color: 'red.8' })} onClick={run}>
            {action === 'delete' ? `Move ${formatCount(total)} to Trash` : `Yes, all ${formatCount(total)}`}
          </Button>
        )}
      </Group>
    </Dialog>
  );
};

const PlanSummary = ({ plan }: { plan: CleanupPlan }) => {
  const exclusions = describeExclusions(plan.excluded);
  const shown = plan.sample.slice(0, SAMPLE_SHOWN);
  const rest = plan.total - shown.length;
  return (
    <>
      <ul className={classes.sample} aria-label="Some of them">
        {shown.map((email) => (
          <li key={email.id}>
            <bdi className={classes.sender}>{parseSender(email.from).name}</bdi>
            <bdi className={classes.subject}>{email.subject}</bdi>
          </li>
        ))}
      </ul>
      <p className={classes.note}>
        {plan.total === 0 && 'No email matches, or all that match are left out. '}
        {rest > 0 && `And ${formatCount(rest)} more. No other email is touched. `}
        {exclusions} {plan.isComplete ? '' : 'These are the newest; run it again for the others. '}
        You can undo this with Z or from the history.
      </p>
    </>
  );
};
