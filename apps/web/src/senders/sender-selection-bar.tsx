import { i18n } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconArchive, IconCheck, IconMail, IconMailOff, IconTrash, IconX } from '@tabler/icons-react';
import { countEmails, formatCount } from '../email/counts.ts';
import classes from '../inbox/selection-bar.module.css';
import { takesRequest } from '../unsubscribe/unsubscribe-words.ts';
import type { SenderTriage } from './use-sender-triage.ts';

const ACTIONS = [
  { work: 'archive', label: msg`Archive`, keyCap: 'E', icon: IconArchive },
  { work: 'delete', label: msg`Delete`, keyCap: '#', icon: IconTrash },
  { work: 'mark_unread', label: msg`Unread`, keyCap: 'U', icon: IconMail },
] as const;

/** What can be done with all email of the ticked senders; floats above the end of the list. */
export const SenderSelectionBar = ({ triage }: { triage: SenderTriage }) => {
  const { selectedSenders } = triage;
  const emails = selectedSenders.reduce((sum, sender) => sum + sender.mails, 0);
  const inInbox = selectedSenders.reduce((sum, sender) => sum + sender.inInbox, 0);
  const suggested = selectedSenders.reduce((sum, sender) => sum + sender.suggested, 0);
  return (
    <div className={classes.bar} role="toolbar" aria-label={t`Selected senders`}>
      <button
        type="button"
        className={classes.clear}
        onClick={triage.clear}
        aria-label={t`Clear the selection`}
      >
        <IconX size={17} aria-hidden="true" />
      </button>
      <span className={classes.count} role="status">
        <strong>{plural(selectedSenders.length, { one: '# sender', other: '# senders' })}</strong>
        <span className={classes.senders}>
          {' '}
          <Trans>with {countEmails(emails)}</Trans>
        </span>
      </span>
      {suggested > 0 && (
        <Button
          variant="light"
          leftSection={<IconCheck size={17} aria-hidden="true" />}
          onClick={() => triage.request('accept', selectedSenders)}
        >
          <Trans>
            Accept {formatCount(suggested)} <kbd className={classes.key}>Y</kbd>
          </Trans>
        </Button>
      )}
      {selectedSenders.some(takesRequest) && (
        <Button
          variant="subtle"
          leftSection={<IconMailOff size={17} aria-hidden="true" />}
          onClick={() => triage.askToUnsubscribeAndArchive(selectedSenders)}
        >
          {inInbox > 0 ? t`Unsubscribe and archive ${formatCount(inInbox)}` : t`Unsubscribe`}
        </Button>
      )}
      {ACTIONS.map(({ work, label, keyCap, icon: Icon }) => (
        <Button
          key={work}
          variant="subtle"
          leftSection={<Icon size={17} aria-hidden="true" />}
          onClick={() => triage.request(work, selectedSenders)}
        >
          {i18n._(label)} <kbd className={classes.key}>{keyCap}</kbd>
        </Button>
      ))}
    </div>
  );
};
