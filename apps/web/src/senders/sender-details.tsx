import type { KeptEmail } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconArchive, IconCheck, IconMail, IconTrash, IconX } from '@tabler/icons-react';
import { countEmails, formatCount } from '../email/counts.ts';
import { SenderPane } from '../email/sender-pane.tsx';
import { formatBytes } from '../email/sizes.ts';
import { ErrorState } from '../feedback/error-state.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { PlanSummary } from '../suggestions/plan-summary.tsx';
import classes from './sender-details.module.css';
import { SenderEmails } from './sender-emails.tsx';
import { isInInbox, type SenderWork, toConcerned, toSuggestedPlan } from './sender-work.ts';
import type { OpenSender } from './use-open-sender.ts';
import type { SenderTriage } from './use-sender-triage.ts';

const toFacts = (emails: readonly KeptEmail[]): [string, string][] => [
  ['Emails', formatCount(emails.length)],
  ['In inbox', formatCount(emails.filter(isInInbox).length)],
  ['Unread', formatCount(emails.filter((email) => !email.isRead).length)],
  ['Size', formatBytes(emails.reduce((sum, email) => sum + email.size, 0))],
];

const WORKS = [
  { work: 'archive', name: 'Archive', keyCap: 'E', icon: IconArchive },
  { work: 'delete', name: 'Delete', keyCap: '#', icon: IconTrash },
  { work: 'mark_unread', name: 'Unread', keyCap: 'U', icon: IconMail },
] as const;

/** What can be done to the chosen emails, each with exactly the number that it concerns. */
const Actions = ({ open, triage }: { open: OpenSender; triage: SenderTriage }) => (
  <div className={classes.actions}>
    {WORKS.map(({ work, name, keyCap, icon: Icon }) => {
      const count = toConcerned(work, open.chosen).length;
      return (
        <Button
          key={work}
          variant={work === 'archive' ? 'light' : 'default'}
          disabled={count === 0}
          leftSection={<Icon size={16} aria-hidden="true" />}
          onClick={() => triage.requestForChosen(work)}
        >
          {name} {count > 0 && formatCount(count)}
          <kbd className={classes.key}>{keyCap}</kbd>
        </Button>
      );
    })}
  </div>
);

/** What is suggested for the chosen emails, with accept and reject. */
const Suggested = ({ open, triage }: { open: OpenSender; triage: SenderTriage }) => {
  const all: SenderWork = 'accept';
  if (toConcerned(all, open.emails).length === 0) return null;
  const emails = toConcerned(all, open.chosen);
  return (
    <section className={classes.plan} aria-label="Suggestions">
      <h3 className={classes.planTitle}>Suggested for {countEmails(emails.length)}</h3>
      <PlanSummary plan={toSuggestedPlan(emails)} />
      <div className={classes.decisions}>
        <Button
          size="compact-md"
          disabled={emails.length === 0}
          leftSection={<IconCheck size={16} aria-hidden="true" />}
          onClick={() => triage.confirmChosen('accept')}
        >
          Accept {formatCount(emails.length)}
          <kbd className={classes.key}>Y</kbd>
        </Button>
        <Button
          size="compact-md"
          variant="default"
          disabled={emails.length === 0}
          leftSection={<IconX size={16} aria-hidden="true" />}
          onClick={() => triage.confirmChosen('reject')}
        >
          Reject {formatCount(emails.length)}
          <kbd className={classes.key}>N</kbd>
        </Button>
      </div>
    </section>
  );
};

const Body = ({ open, triage }: { open: OpenSender; triage: SenderTriage }) => {
  if (open.isPending) {
    return (
      <div className={classes.loading} role="status" aria-label="Loading emails of this sender">
        <Skeleton height={52} radius={12} />
        <Skeleton height={36} radius={8} />
        <Skeleton height={320} radius={12} />
      </div>
    );
  }
  if (open.error && open.emails.length === 0) return <ErrorState error={open.error} onRetry={open.retry} />;
  if (open.emails.length === 0)
    return <p className={classes.nothing}>There is no email left from this sender.</p>;
  return (
    <>
      <dl className={classes.facts}>
        {toFacts(open.emails).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Suggested open={open} triage={triage} />
      <Actions open={open} triage={triage} />
      {open.leftOut.size > 0 && (
        <p className={classes.leftOut}>
          {formatCount(open.chosen.length)} of {countEmails(open.emails.length)} are ticked.
        </p>
      )}
      <SenderEmails key={open.id} open={open} />
    </>
  );
};

/** All email of one sender beside the list, and what can be done with it; the list stays usable. */
export const SenderDetails = (props: {
  open: OpenSender;
  /** As the list has it, until the emails are here. */
  from: string | undefined;
  triage: SenderTriage;
  onClose: () => void;
}) => {
  const { open, triage } = props;
  return (
    <SenderPane
      label="Sender"
      from={open.emails[0]?.from ?? props.from ?? ''}
      isAboutSender
      closeLabel="Close the sender"
      onClose={props.onClose}
      className={classes.pane}
    >
      <Body open={open} triage={triage} />
    </SenderPane>
  );
};
