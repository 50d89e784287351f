import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { CleanupSelection, Sender } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { useContext } from 'react';
import { AskedPlan } from '../cleanup/asked-plan.tsx';
import { usePlannedCleanup } from '../cleanup/use-planned-cleanup.ts';
import { SegmentedChoice } from '../controls/segmented-choice.tsx';
import { countEmails, formatCount } from '../email/counts.ts';
import { EMAIL_ACTIONS } from '../email/email-actions.ts';
import { TO_DO } from '../email/email-words.ts';
import { parseSender } from '../email/sender/sender.ts';
import { SenderSheetContext } from '../email/sender/sender-button.tsx';
import classes from './payoff.module.css';

/** Why a plan may take fewer emails than the buttons say. */
export const CleanNote = () => (
  <p className={`${classes.note} ${classes.cleanNote}`}>
    <Trans>Up to this many: what you protected, starred or answered stays.</Trans>
  </p>
);

/**
 * Cleans the emails of a selection, once the user has seen the plan: archives what is in the inbox, or else offers the
 * trash. The counts are those of the mailbox, so a plan takes at most as many.
 */
export const CleanButton = (props: {
  /** What is cleaned, for screen readers. */
  name: string;
  selection: CleanupSelection;
  inInbox: number;
  all: number;
}) => {
  const { name, selection, inInbox, all } = props;
  const cleanup = usePlannedCleanup();
  if (all === 0 && cleanup.question === null) return null;
  const ask = (action: 'archive' | 'delete') =>
    cleanup.start({
      request: { action, selection },
      count: action === 'archive' ? inInbox : all,
      asksFirst: true,
    });
  const words =
    inInbox > 0
      ? t`${{ toDo: TO_DO.archive(formatCount(inInbox)) }}…`
      : t`${{ toDo: TO_DO.delete(formatCount(all)) }}…`;
  return (
    <>
      <Button
        size="compact-sm"
        variant="light"
        className={classes.clean}
        aria-label={`${name}: ${words}`}
        onClick={() => ask(inInbox > 0 ? 'archive' : 'delete')}
      >
        {words}
      </Button>
      <AskedPlan
        cleanup={cleanup}
        choice={
          <SegmentedChoice
            name={t`What to do`}
            size="small"
            value={cleanup.question?.request.action === 'delete' ? 'delete' : 'archive'}
            onChange={ask}
            choices={[
              { label: i18n._(EMAIL_ACTIONS.archive.name), value: 'archive' },
              { label: i18n._(EMAIL_ACTIONS.delete.name), value: 'delete' },
            ]}
          />
        }
      />
    </>
  );
};

/** Senders with a number of their emails; each opens the sheet of the sender, or cleans. */
export const SenderButtons = (props: {
  /** The id of the heading that names the list. */
  labelledBy: string;
  senders: readonly Pick<Sender, 'id' | 'from' | 'mails' | 'inInbox' | 'protected'>[];
  counts: 'mails' | 'inInbox';
}) => {
  const openSheet = useContext(SenderSheetContext);
  return (
    <ul className={classes.wins} aria-labelledby={props.labelledBy}>
      {props.senders.map(({ id, from, ...sender }) => (
        <li key={id} className={classes.winner}>
          <button
            type="button"
            aria-haspopup="dialog"
            className={classes.win}
            onClick={() => openSheet({ senderId: id, from })}
          >
            <bdi className={classes.winName}>{parseSender(from).name || t`Unknown sender`}</bdi>{' '}
            <span className={classes.winCount}>{countEmails(sender[props.counts])}</span>
          </button>
          {!sender.protected && (
            <CleanButton
              name={parseSender(from).name}
              selection={{ type: 'senders', senders: [id], except: [] }}
              inInbox={sender.inInbox}
              all={sender.mails}
            />
          )}
        </li>
      ))}
    </ul>
  );
};
