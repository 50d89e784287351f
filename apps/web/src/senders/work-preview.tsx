import type { KeptEmail, Sender } from '@mailsweep/contracts';
import { Button, Group, Loader, Modal } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { describeError } from '../api/describe-error.ts';
import classes from '../inbox/delete-confirmation.module.css';
import { formatCount } from '../mail/counts.ts';
import { parseSender } from '../mail/sender.ts';
import { PlanSummary } from '../suggestions/plan-summary.tsx';
import {
  describeNothing,
  describeWork,
  type SenderWork,
  toConcerned,
  toQuestion,
  toSuggestedPlan,
  toYes,
  WORK_NAMES,
} from './sender-work.ts';
import { usePendingMails } from './use-pending-mails.ts';
import type { SenderTriage } from './use-sender-triage.ts';

/** Senders named before the rest is only counted. */
const SENDERS_SHOWN = 4;

/** What the work would do, in sentences with exact numbers. */
const Consequences = ({ work, mails }: { work: SenderWork; mails: readonly KeptEmail[] }) => {
  const concerned = toConcerned(work, mails);
  if (concerned.length === 0) return <p className={classes.note}>{describeNothing(work)}</p>;
  if (work === 'accept') {
    return (
      <div className={classes.note}>
        <PlanSummary plan={toSuggestedPlan(concerned)} />
      </div>
    );
  }
  return <p className={classes.note}>{describeWork(work, concerned.length, mails.length)}</p>;
};

const Numbers = (props: {
  work: SenderWork;
  senders: readonly Sender[];
  mailsOf: readonly (readonly KeptEmail[])[];
  onYes: (mails: readonly KeptEmail[]) => void;
  onNo: () => void;
}) => {
  const { work, senders, mailsOf } = props;
  const yes = useRef<HTMLButtonElement>(null);
  // The dialog looks for what to focus when it opens, which may be before the numbers are known.
  useEffect(() => yes.current?.focus(), []);
  const mails = mailsOf.flat();
  const count = toConcerned(work, mails).length;
  const unnamed = senders.length - SENDERS_SHOWN;
  return (
    <>
      <ul className={classes.senders}>
        {senders.slice(0, SENDERS_SHOWN).map((sender, index) => (
          <li key={sender.id}>
            <bdi className={classes.name}>{parseSender(sender.from).name}</bdi>
            <span className={classes.count}>
              {formatCount(toConcerned(work, mailsOf[index] ?? []).length)}
            </span>
          </li>
        ))}
        {unnamed > 0 && (
          <li className={classes.rest}>
            and {formatCount(unnamed)} more {unnamed === 1 ? 'sender' : 'senders'}
          </li>
        )}
      </ul>
      <Consequences work={work} mails={mails} />
      {count > 0 && (
        <p className={classes.note}>
          You can undo all of it with <kbd>Z</kbd> or from the history.
        </p>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={props.onNo}>
          Cancel
        </Button>
        <Button
          ref={yes}
          data-autofocus
          {...(work === 'delete' && { color: 'red.8' })}
          disabled={count === 0}
          onClick={() => props.onYes(mails)}
        >
          {toYes(work, count)}
        </Button>
      </Group>
    </>
  );
};

const Failure = (props: { error: unknown; onRetry: () => void; onNo: () => void }) => {
  const { title, advice } = describeError(props.error);
  return (
    <div role="alert">
      <p className={classes.note}>
        {title}. {advice}
      </p>
      <Group justify="flex-end">
        <Button variant="default" onClick={props.onNo}>
          Cancel
        </Button>
        <Button onClick={props.onRetry}>Try again</Button>
      </Group>
    </div>
  );
};

/** Shows in exact numbers what is about to be done to all email of some senders, and waits for a yes. */
export const WorkPreview = ({ triage }: { triage: SenderTriage }) => {
  const { pending, cancelPending } = triage;
  const { mailsOf, error, retry } = usePendingMails(pending);
  const title =
    pending && mailsOf
      ? toQuestion(pending.work, toConcerned(pending.work, mailsOf.flat()).length)
      : pending && WORK_NAMES[pending.work];
  return (
    <Modal
      opened={pending !== null}
      onClose={cancelPending}
      title={title}
      closeButtonProps={{ 'aria-label': 'Cancel' }}
      centered
    >
      {pending && mailsOf ? (
        <Numbers
          work={pending.work}
          senders={pending.senders}
          mailsOf={mailsOf}
          onYes={triage.confirmPending}
          onNo={cancelPending}
        />
      ) : error ? (
        <Failure error={error} onRetry={retry} onNo={cancelPending} />
      ) : (
        <p className={classes.note} role="status">
          <Loader size="xs" aria-hidden="true" /> Counting exactly which emails this is about…
        </p>
      )}
    </Modal>
  );
};
