import { Button } from '@mantine/core';
import { IconArchive, IconMail, IconTrash, IconX } from '@tabler/icons-react';
import { countEmails, formatCount } from '../email/counts.ts';
import classes from './selection-bar.module.css';
import type { Triage } from './use-triage.ts';

/** What can be done with the ticked emails; floats above the end of the list. */
export const SelectionBar = ({
  count,
  senders,
  triage,
}: {
  count: number;
  senders: number;
  triage: Triage;
}) => (
  <div className={classes.bar} role="toolbar" aria-label="Selected emails">
    <button type="button" className={classes.clear} onClick={triage.clear} aria-label="Clear the selection">
      <IconX size={17} aria-hidden="true" />
    </button>
    <span className={classes.count} role="status">
      <strong>{countEmails(count)}</strong>
      <span className={classes.senders}>
        {' '}
        from {formatCount(senders)} {senders === 1 ? 'sender' : 'senders'}
      </span>
    </span>
    <Button
      variant="subtle"
      leftSection={<IconArchive size={17} aria-hidden="true" />}
      onClick={() => triage.request('archive', triage.selectedEmails)}
    >
      Archive <kbd className={classes.key}>E</kbd>
    </Button>
    <Button
      variant="subtle"
      leftSection={<IconTrash size={17} aria-hidden="true" />}
      onClick={() => triage.request('delete', triage.selectedEmails)}
    >
      Delete <kbd className={classes.key}>#</kbd>
    </Button>
    <Button
      variant="subtle"
      leftSection={<IconMail size={17} aria-hidden="true" />}
      onClick={() => triage.request('mark_unread', triage.selectedEmails)}
    >
      Unread <kbd className={classes.key}>U</kbd>
    </Button>
  </div>
);
