import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { MAX_CLEANUP_SENDERS, type Sender } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconCheck, IconMailOff } from '@tabler/icons-react';
import { EmailActionButtons, KeyCap, SelectionToolbar } from '../../controls/list/selection-toolbar.tsx';
import { countEmails, formatCount } from '../../email/counts.ts';
import { showToast, toFailure } from '../../feedback/toasts.tsx';
import { takesRequest } from '../../unsubscribe/unsubscribe-words.ts';
import type { SenderTriage } from './use-sender-triage.ts';

/** What can be done with all email of the ticked senders. */
export const SenderSelectionBar = (props: {
  triage: SenderTriage;
  list: { senders: readonly Sender[]; hasMore: boolean; loadAll: () => Promise<Sender[]> };
}) => {
  const { triage, list } = props;
  const { selectedSenders } = triage;
  // Nothing is done to all email of protected senders.
  const open = selectedSenders.filter((sender) => !sender.protected);
  const emails = open.reduce((sum, sender) => sum + sender.mails, 0);
  const inInbox = open.reduce((sum, sender) => sum + sender.inInbox, 0);
  const suggested = selectedSenders.reduce((sum, sender) => sum + sender.suggested, 0);
  const isEverySelected =
    selectedSenders.length === MAX_CLEANUP_SENDERS ||
    (selectedSenders.length === list.senders.length && !list.hasMore);
  const selectAll = () => void list.loadAll().then(triage.selectAll, (error) => showToast(toFailure(error)));
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
      onSelectAll={isEverySelected ? undefined : selectAll}
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
      <EmailActionButtons
        readChange={triage.readChange}
        isDisabled={selectedSenders.length === 0}
        onRequest={(action) => triage.request(action, selectedSenders)}
      />
    </SelectionToolbar>
  );
};
