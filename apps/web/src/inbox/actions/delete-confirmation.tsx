import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { Dialog, DialogButtons } from '../../controls/dialog.tsx';
import { countEmails, formatCount } from '../../email/counts.ts';
import { TO_DO } from '../../email/email-words.ts';
import { parseSender } from '../../email/sender/sender.ts';
import { useTrashNote } from '../../session/use-mailbox.ts';
import shapes from '../../shapes.module.css';
import classes from './delete-confirmation.module.css';
import type { Triage } from './use-triage.ts';

/** The rest is counted. */
const SENDERS_SHOWN = 4;

const countSenders = (froms: string[]): [string, number][] =>
  [...Map.groupBy(froms.map(parseSender), ({ key }) => key).values()]
    .map((same): [string, number] => [same[0]?.name ?? '', same.length])
    .sort(([, a], [, b]) => b - a);

/** Asks before many emails go to the trash, and names their senders. */
export const DeleteConfirmation = ({ triage }: { triage: Triage }) => {
  const { toConfirm } = triage;
  const trashNote = useTrashNote();
  const senders = countSenders(toConfirm.map((email) => email.from));
  return (
    <Dialog onClose={triage.cancelDelete} title={t`Move ${countEmails(toConfirm.length)} to Trash?`}>
      <ul className={classes.senders}>
        {senders.slice(0, SENDERS_SHOWN).map(([name, count]) => (
          <li key={name}>
            <bdi className={`${shapes.oneLine} ${classes.name}`}>{name}</bdi>
            <span className={classes.count}>{formatCount(count)}</span>
          </li>
        ))}
        {senders.length > SENDERS_SHOWN && (
          <li className={classes.rest}>
            <Trans>and {formatCount(senders.length - SENDERS_SHOWN)} more senders</Trans>
          </li>
        )}
      </ul>
      <p className={classes.note}>
        {trashNote} <Trans>You can undo this at once or from the history.</Trans>
      </p>
      <DialogButtons onCancel={triage.cancelDelete} hasFocus>
        <Button color="red.8" onClick={triage.confirmDelete}>
          {TO_DO.delete(formatCount(toConfirm.length))}
        </Button>
      </DialogButtons>
    </Dialog>
  );
};
