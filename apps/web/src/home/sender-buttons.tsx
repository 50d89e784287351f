import { t } from '@lingui/core/macro';
import type { Sender } from '@mailsweep/contracts';
import { useContext } from 'react';
import { countEmails } from '../email/counts.ts';
import { parseSender } from '../email/sender/sender.ts';
import { SenderSheetContext } from '../email/sender/sender-button.tsx';
import { CleanButton } from './clean-button.tsx';
import classes from './payoff.module.css';

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
