import { Button, Group, Modal } from '@mantine/core';
import { countMails, formatCount } from '../mail/counts.ts';
import { parseSender } from '../mail/sender.ts';
import { PlanSummary } from './plan-summary.tsx';
import classes from './review-dialog.module.css';
import { toPlan } from './suggestion-groups.ts';
import type { Review } from './use-review.ts';

/** Shows what a large decision will do, and waits for a yes. */
export const ReviewDialog = ({ review }: { review: Review }) => {
  const mails = review.pending?.mails ?? [];
  const senders = new Set(mails.map((mail) => parseSender(mail.from).key)).size;
  return (
    <Modal
      opened={review.pending !== null}
      onClose={review.cancelPending}
      title={review.pending?.title ?? ''}
      closeButtonProps={{ 'aria-label': 'Cancel' }}
      centered
    >
      <p className={classes.what}>
        This affects {countMails(mails.length)} from {formatCount(senders)}{' '}
        {senders === 1 ? 'sender' : 'senders'}:
      </p>
      <PlanSummary plan={toPlan(mails)} />
      <p className={classes.note}>
        You can undo all of it with <kbd>Z</kbd> or from the history.
      </p>
      <Group justify="flex-end">
        <Button variant="default" onClick={review.cancelPending}>
          Cancel
        </Button>
        <Button onClick={review.confirmPending} data-autofocus>
          Accept {formatCount(mails.length)}
        </Button>
      </Group>
    </Modal>
  );
};
