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
  all,
}: {
  count: number;
  senders: number;
  triage: Triage;
  /** Set where every loaded email is selected, and more match that are not loaded. */
  all?: { isSelected: boolean; count: string; select: () => void } | undefined;
}) => (
  <div className={classes.bar} role="toolbar" aria-label="Selected emails">
    <button type="button" className={classes.clear} onClick={triage.clear} aria-label="Clear the selection">
      <IconX size={17} aria-hidden="true" />
    </button>
    <span className={classes.count} role="status">
      <strong>{all?.isSelected ? `All ${all.count}` : countEmails(count)}</strong>
      <span className={classes.senders}>
        {all?.isSelected
          ? ', loaded or not'
          : ` from ${formatCount(senders)} ${senders === 1 ? 'sender' : 'senders'}`}
      </span>
    </span>
    {all && !all.isSelected && (
      <Button variant="light" onClick={all.select}>
        Select all {all.count}
      </Button>
    )}
    <Button
      variant="subtle"
      leftSection={<IconArchive size={17} aria-hidden="true" />}
      onClick={() => triage.requestForSelected('archive')}
    >
      Archive <kbd className={classes.key}>E</kbd>
    </Button>
    <Button
      variant="subtle"
      leftSection={<IconTrash size={17} aria-hidden="true" />}
      onClick={() => triage.requestForSelected('delete')}
    >
      Delete <kbd className={classes.key}>#</kbd>
    </Button>
    <Button
      variant="subtle"
      leftSection={<IconMail size={17} aria-hidden="true" />}
      onClick={() => triage.requestForSelected('mark_unread')}
    >
      Unread <kbd className={classes.key}>U</kbd>
    </Button>
  </div>
);
