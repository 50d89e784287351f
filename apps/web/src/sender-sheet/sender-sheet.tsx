import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { isNotFound } from '../api/error-kinds.ts';
import { Dialog } from '../controls/dialog.tsx';
import { countEmails, formatCount } from '../email/counts.ts';
import { parseSender } from '../email/sender/sender.ts';
import { SenderAvatar } from '../email/sender/sender-avatar.tsx';
import type { SheetSender } from '../email/sender/sender-button.tsx';
import { formatBytes } from '../email/sizes.ts';
import { ErrorState } from '../feedback/error-state.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { senderQuery } from '../queries/senders-query.ts';
import shapes from '../shapes.module.css';
import { SenderActions } from './sender-actions.tsx';
import classes from './sender-sheet.module.css';

const Body = ({ sender, onAsking }: { sender: SheetSender; onAsking: (isAsking: boolean) => void }) => {
  const { data, error, isPending, refetch } = useQuery(senderQuery(useApi().client, sender));
  if (isPending) {
    return (
      <div role="status" aria-label={t`Counting the emails of this sender`}>
        <Skeleton height={220} radius={12} />
      </div>
    );
  }
  if (isNotFound(error)) {
    return (
      <p className={classes.note}>
        <Trans>There is no email left from this sender.</Trans>
      </p>
    );
  }
  return data ? (
    <>
      <p className={classes.note}>
        <Trans>
          {countEmails(data.mails)} ({formatBytes(data.bytes)}), {formatCount(data.inInbox)} in the inbox,{' '}
          {formatCount(data.unread)} unread
        </Trans>{' '}
        <Link to="/inbox" search={{ q: `from:${parseSender(data.from).address}`, scope: 'all' }}>
          <Trans>Show these emails</Trans>
        </Link>
      </p>
      <SenderActions sender={data} onAsking={onAsking} />
    </>
  ) : (
    <ErrorState error={error} onRetry={() => void refetch()} />
  );
};

/** One sender, and all that can be done about it, over any screen. @param props.sender - null while it is closed */
export const SenderSheet = (props: { sender: SheetSender | null; onClose: () => void }) => {
  // The words stay while it closes.
  const last = useRef(props.sender);
  if (props.sender !== null) last.current = props.sender;
  const sender = last.current;
  // What is asked lies above: it has the keys and the focus.
  const [isAsking, setAsking] = useState(false);
  if (sender === null) return null;
  const { name, address } = parseSender(sender.from);
  return (
    <Dialog
      opened={props.sender !== null}
      onClose={props.onClose}
      closeLabel={t`Close the sender`}
      closeOnEscape={!isAsking}
      closeOnClickOutside={!isAsking}
      title={
        <span className={classes.head}>
          <SenderAvatar from={sender.from} size="lg" />
          <span className={classes.who}>
            <bdi className={classes.name}>{name}</bdi>
            {address !== name && <bdi className={`${shapes.oneLine} ${classes.address}`}>{address}</bdi>}
          </span>
        </span>
      }
    >
      <Body sender={sender} onAsking={setAsking} />
    </Dialog>
  );
};
