import { Button } from '@mantine/core';
import { IconArchive, IconCheck, IconMail, IconTrash, IconX } from '@tabler/icons-react';
import { countEmails, formatCount } from '../email/counts.ts';
import classes from '../inbox/selection-bar.module.css';
import type { SenderTriage } from './use-sender-triage.ts';

const ACTIONS = [
  { work: 'archive', label: 'Archive', keyCap: 'E', icon: IconArchive },
  { work: 'delete', label: 'Delete', keyCap: '#', icon: IconTrash },
  { work: 'mark_unread', label: 'Unread', keyCap: 'U', icon: IconMail },
] as const;

/** What can be done with all email of the ticked senders; floats above the end of the list. */
export const SenderSelectionBar = ({ triage }: { triage: SenderTriage }) => {
  const { selectedSenders } = triage;
  const emails = selectedSenders.reduce((sum, sender) => sum + sender.mails, 0);
  const suggested = selectedSenders.reduce((sum, sender) => sum + sender.suggested, 0);
  return (
    <div className={classes.bar} role="toolbar" aria-label="Selected senders">
      <button type="button" className={classes.clear} onClick={triage.clear} aria-label="Clear the selection">
        <IconX size={17} aria-hidden="true" />
      </button>
      <span className={classes.count} role="status">
        <strong>
          {formatCount(selectedSenders.length)} {selectedSenders.length === 1 ? 'sender' : 'senders'}
        </strong>
        <span className={classes.senders}> with {countEmails(emails)}</span>
      </span>
      {suggested > 0 && (
        <Button
          variant="light"
          leftSection={<IconCheck size={17} aria-hidden="true" />}
          onClick={() => triage.request('accept', selectedSenders)}
        >
          Accept {formatCount(suggested)} <kbd className={classes.key}>Y</kbd>
        </Button>
      )}
      {ACTIONS.map(({ work, label, keyCap, icon: Icon }) => (
        <Button
          key={work}
          variant="subtle"
          leftSection={<Icon size={17} aria-hidden="true" />}
          onClick={() => triage.request(work, selectedSenders)}
        >
          {label} <kbd className={classes.key}>{keyCap}</kbd>
        </Button>
      ))}
    </div>
  );
};
