import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconCheck, IconMailOff } from '@tabler/icons-react';
import { EmailActionButtons, KeyCap, SelectionToolbar } from '../../controls/list/selection-toolbar.tsx';
import { countEmails, formatCount } from '../../email/counts.ts';
import { takesRequest } from '../../unsubscribe/unsubscribe-words.ts';
import type { SenderTriage } from './use-sender-triage.ts';

/** What can be done with all email of the ticked senders. */
export const SenderSelectionBar = ({ triage }: { triage: SenderTriage }) => {
  const { selectedSenders } = triage;
  const emails = selectedSenders.reduce((sum, sender) => sum + sender.mails, 0);
  const inInbox = selectedSenders.reduce((sum, sender) => sum + sender.inInbox, 0);
  const suggested = selectedSenders.reduce((sum, sender) => sum + sender.suggested, 0);
  return (
    <SelectionToolbar
      label={t`Selected senders`}
      count={plural(selectedSenders.length, { one: '# sender', other: '# senders' })}
      detail={
        <>
          {' '}
          <Trans>with {countEmails(emails)}</Trans>
        </>
      }
      onClear={triage.clear}
    >
      {suggested > 0 && (
        <Button
          variant="light"
          leftSection={<IconCheck size={17} aria-hidden="true" />}
          onClick={() => triage.request('accept', selectedSenders)}
        >
          <Trans>
            Accept {formatCount(suggested)} <KeyCap>Y</KeyCap>
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
      <EmailActionButtons onRequest={(action) => triage.request(action, selectedSenders)} />
    </SelectionToolbar>
  );
};
