import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { KeptEmail, Unsubscribe } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconArchive, IconCheck, IconMail, IconTrash, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { countEmails, formatCount } from '../../email/counts.ts';
import { SenderPane } from '../../email/sender/sender-pane.tsx';
import { formatBytes } from '../../email/sizes.ts';
import { ErrorState } from '../../feedback/error-state.tsx';
import { Skeleton } from '../../feedback/skeleton.tsx';
import { ShieldButton } from '../../protection/shield-button.tsx';
import { PlanSummary } from '../../suggestions/plan-summary.tsx';
import { UnsubscribePanel } from '../../unsubscribe/unsubscribe-panel.tsx';
import { isInInbox, type SenderWork, toAffected, toSuggestedPlan } from '../actions/sender-work.ts';
import type { OpenSender } from '../actions/use-open-sender.ts';
import type { SenderTriage } from '../actions/use-sender-triage.ts';
import classes from './sender-details.module.css';
import { SenderEmails } from './sender-emails.tsx';

const toFacts = (emails: readonly KeptEmail[]): [string, string][] => [
  [t`Emails`, formatCount(emails.length)],
  [t`In inbox`, formatCount(emails.filter(isInInbox).length)],
  [t`Unread`, formatCount(emails.filter((email) => !email.isRead).length)],
  [t`Size`, formatBytes(emails.reduce((sum, email) => sum + email.size, 0))],
];

const WORKS = [
  { work: 'archive', name: msg`Archive`, keyCap: 'E', icon: IconArchive },
  { work: 'delete', name: msg`Delete`, keyCap: '#', icon: IconTrash },
  { work: 'mark_unread', name: msg`Unread`, keyCap: 'U', icon: IconMail },
] as const;

/** What can be done to the chosen emails, each with exactly the number that it concerns. */
const Actions = ({ open, triage }: { open: OpenSender; triage: SenderTriage }) => (
  <div className={classes.actions}>
    {WORKS.map(({ work, name, keyCap, icon: Icon }) => {
      const count = toAffected(work, open.chosen).length;
      return (
        <Button
          key={work}
          variant={work === 'archive' ? 'light' : 'default'}
          disabled={count === 0}
          leftSection={<Icon size={16} aria-hidden="true" />}
          onClick={() => triage.requestForChosen(work)}
        >
          {i18n._(name)} {count > 0 && formatCount(count)}
          <kbd className={classes.key}>{keyCap}</kbd>
        </Button>
      );
    })}
  </div>
);

/** What is suggested for the chosen emails, with accept and reject. */
const Suggested = ({ open, triage }: { open: OpenSender; triage: SenderTriage }) => {
  const all: SenderWork = 'accept';
  if (toAffected(all, open.emails).length === 0) return null;
  const emails = toAffected(all, open.chosen);
  return (
    <section className={classes.plan} aria-label={t`Suggestions`}>
      <h3 className={classes.planTitle}>
        <Trans>Suggested for {countEmails(emails.length)}</Trans>
      </h3>
      <PlanSummary plan={toSuggestedPlan(emails)} />
      <div className={classes.decisions}>
        <Button
          size="compact-md"
          disabled={emails.length === 0}
          leftSection={<IconCheck size={16} aria-hidden="true" />}
          onClick={() => triage.confirmChosen('accept')}
        >
          <Trans>
            Accept {formatCount(emails.length)}
            <kbd className={classes.key}>Y</kbd>
          </Trans>
        </Button>
        <Button
          size="compact-md"
          variant="default"
          disabled={emails.length === 0}
          leftSection={<IconX size={16} aria-hidden="true" />}
          onClick={() => triage.confirmChosen('reject')}
        >
          <Trans>
            Reject {formatCount(emails.length)}
            <kbd className={classes.key}>N</kbd>
          </Trans>
        </Button>
      </div>
    </section>
  );
};

const Body = ({ open, triage }: { open: OpenSender; triage: SenderTriage }) => {
  if (open.isPending) {
    return (
      <div className={classes.loading} role="status" aria-label={t`Loading emails of this sender`}>
        <Skeleton height={52} radius={12} />
        <Skeleton height={36} radius={8} />
        <Skeleton height={320} radius={12} />
      </div>
    );
  }
  if (open.error && open.emails.length === 0) return <ErrorState error={open.error} onRetry={open.retry} />;
  if (open.emails.length === 0)
    return (
      <p className={classes.nothing}>
        <Trans>There is no email left from this sender.</Trans>
      </p>
    );
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
          <Trans>
            {formatCount(open.chosen.length)} of {countEmails(open.emails.length)} are ticked.
          </Trans>
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
  isProtected: boolean;
  unsubscribe: Unsubscribe | null | undefined;
  triage: SenderTriage;
  onClose: () => void;
  /** What is offered after an action; it is above the emails, because the pane may cover the list. */
  children?: ReactNode;
}) => {
  const { open, triage } = props;
  const from = open.emails[0]?.from ?? props.from ?? '';
  return (
    <SenderPane
      label={t`Sender`}
      from={from}
      isAboutSender
      closeLabel={t`Close the sender`}
      onClose={props.onClose}
      className={classes.pane}
    >
      {open.id !== undefined && (
        <div className={classes.protection}>
          <ShieldButton
            sender={{ id: open.id, from }}
            isProtected={
              open.emails.length > 0
                ? open.emails.some(({ protection }) => protection === 'protected')
                : props.isProtected
            }
          />
          <UnsubscribePanel
            sender={{ id: open.id, from }}
            known={props.unsubscribe}
            onAsk={(sender) => triage.askToUnsubscribe([sender])}
          />
        </div>
      )}
      {props.children && <div className={classes.offer}>{props.children}</div>}
      <Body open={open} triage={triage} />
    </SenderPane>
  );
};
