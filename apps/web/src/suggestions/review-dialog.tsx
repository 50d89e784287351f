import { Button, Group } from '@mantine/core';
import { Dialog } from '../controls/dialog.tsx';
import { countEmails, formatCount } from '../email/counts.ts';
import { parseSender } from '../email/sender.ts';
import { PlanSummary } from './plan-summary.tsx';
import classes from './review-dialog.module.css';
import { toPlan } from './suggestion-groups.ts';
import type { Review } from './use-review.ts';

/** Shows what a large decision will do, and waits for a yes. */
export const ReviewDialog = ({ review }: { review: Review }) => {
  const emails = review.pending?.emails ?? [];
  const senders = new Set(emails.map((email) => parseSender(email.from).key)).size;
  return (
    <Dialog
      opened={review.pending !== null}
      onClose={review.cancelPending}
      title={review.pending?.title ?? ''}
      closeLabel="Cancel"
    >
      <p className={classes.what}>
        This affects {countEmails(emails.length)} from {formatCount(senders)}{' '}
        {senders === 1 ? 'sender' : 'senders'}:
      </p>
      <PlanSummary plan={toPlan(emails)} />
      <p className={classes.note}>
        You can undo all of it with <kbd>Z</kbd> or from the history.
      </p>
      <Group justify="flex-end">
        <Button variant="default" onClick={review.cancelPending}>
          Cancel
        </Button>
        <Button onClick={review.confirmPending} data-autofocus>
          Accept {formatCount(emails.length)}
        </Button>
      </Group>
    </Dialog>
  );
};
