import type { KeptEmail, Sender } from '@mailsweep/contracts';
import { Button, Group, Loader } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { describeError } from '../api/describe-error.ts';
import { Dialog } from '../controls/dialog.tsx';
import { formatCount } from '../email/counts.ts';
import { parseSender } from '../email/sender.ts';
import classes from '../inbox/delete-confirmation.module.css';
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
import { usePendingEmails } from './use-pending-emails.ts';
import type { SenderTriage } from './use-sender-triage.ts';

/** Senders named before the rest is only counted. */
const SENDERS_SHOWN = 4;

/** What the work would do, in sentences with exact numbers. */
const Consequences = ({ work, emails }: { work: SenderWork; emails: readonly KeptEmail[] }) => {
  const concerned = toConcerned(work, emails);
  if (concerned.length === 0) return <p className={classes.note}>{describeNothing(work)}</p>;
  if (work === 'accept') {
    return (
      <div className={classes.note}>
        <PlanSummary plan={toSuggestedPlan(concerned)} />
      </div>
    );
  }
  return <p className={classes.note}>{describeWork(work, concerned.length, emails.length)}</p>;
};

const Numbers = (props: {
  work: SenderWork;
  senders: readonly Sender[];
  emailsOf: readonly (readonly KeptEmail[])[];
  onYes: (emails: readonly KeptEmail[]) => void;
  onNo: () => void;
}) => {
  const { work, senders, emailsOf } = props;
  // The key of a deletion may be followed by Enter without a look at the number.
  const focusesNo = work === 'delete';
  const focused = useRef<HTMLButtonElement>(null);
  // The dialog looks for what to focus when it opens, which may be before the numbers are known.
  useEffect(() => focused.current?.focus(), []);
  const emails = emailsOf.flat();
  const count = toConcerned(work, emails).length;
  const unnamed = senders.length - SENDERS_SHOWN;
  return (
    <>
      <ul className={classes.senders}>
        {senders.slice(0, SENDERS_SHOWN).map((sender, index) => (
          <li key={sender.id}>
            <bdi className={classes.name}>{parseSender(sender.from).name}</bdi>
            <span className={classes.count}>
              {formatCount(toConcerned(work, emailsOf[index] ?? []).length)}
            </span>
          </li>
        ))}
        {unnamed > 0 && (
          <li className={classes.rest}>
            and {formatCount(unnamed)} more {unnamed === 1 ? 'sender' : 'senders'}
          </li>
        )}
      </ul>
      <Consequences work={work} emails={emails} />
      {count > 0 && (
        <p className={classes.note}>
          You can undo all of it with <kbd>Z</kbd> or from the history.
        </p>
      )}
      <Group justify="flex-end">
        <Button
          variant="default"
          onClick={props.onNo}
          {...(focusesNo && { ref: focused, 'data-autofocus': true })}
        >
          Cancel
        </Button>
        <Button
          {...(!focusesNo && { ref: focused, 'data-autofocus': true })}
          {...(work === 'delete' && { color: 'red.8' })}
          disabled={count === 0}
          onClick={() => props.onYes(emails)}
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
  const { emailsOf, error, retry } = usePendingEmails(pending);
  const title =
    pending && emailsOf
      ? toQuestion(pending.work, toConcerned(pending.work, emailsOf.flat()).length)
      : pending && WORK_NAMES[pending.work];
  return (
    <Dialog opened={pending !== null} onClose={cancelPending} title={title} closeLabel="Cancel">
      {pending && emailsOf ? (
        <Numbers
          work={pending.work}
          senders={pending.senders}
          emailsOf={emailsOf}
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
    </Dialog>
  );
};
