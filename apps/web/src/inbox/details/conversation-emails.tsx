import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Conversation, Email, InboxAction } from '@mailsweep/contracts';
import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.tsx';
import { describeError } from '../../api/describe-error.ts';
import { isNotFound } from '../../api/error-kinds.ts';
import { RetryButton } from '../../controls/retry-button.tsx';
import { countEmails } from '../../email/counts.ts';
import { parseSender } from '../../email/sender/sender.ts';
import shapes from '../../shapes.module.css';
import { Timestamp } from '../../time/timestamp.tsx';
import classes from './conversation-panel.module.css';
import { EmailButtons } from './email-buttons.tsx';

const toOthersNote = (otherMessages: number): string => {
  if (otherMessages === 0) return '';
  const note = plural(otherMessages, {
    one: '# other message, sent or archived, stays as it is.',
    other: '# other messages, sent or archived, stay as they are.',
  });
  return ` ${note}`;
};

const EmailLine = ({ email, isOpen }: { email: Email; isOpen: boolean }) => (
  <li className={classes.email} data-unread={!email.isRead || undefined}>
    <span className={classes.head}>
      <bdi className={`${shapes.oneLine} ${classes.sender}`}>{parseSender(email.from).name}</bdi>
      {isOpen && (
        <span className={classes.open}>
          <Trans>This email</Trans>
        </span>
      )}
      <Timestamp value={email.date} style="short" />
    </span>
    <bdi className={`${shapes.oneLine} ${classes.snippet}`}>
      {email.snippet || email.subject.trim() || t`No preview.`}
    </bdi>
  </li>
);

const Offer = (props: {
  conversation: Conversation;
  openId: string;
  onAction: (action: InboxAction, emails: Email[]) => void;
}) => {
  const { emails, otherMessages } = props.conversation;
  const count = countEmails(emails.length);
  return (
    <>
      <p className={classes.summary} role="status">
        {plural(emails.length, {
          one: '# email of this conversation is in your inbox.',
          other: '# emails of this conversation are in your inbox.',
        })}
        {toOthersNote(otherMessages)}
      </p>
      <ul className={classes.emails} aria-label={t`Emails of this conversation in the inbox`}>
        {emails.map((email) => (
          <EmailLine key={email.id} email={email} isOpen={email.id === props.openId} />
        ))}
      </ul>
      <div className={classes.actions}>
        <EmailButtons
          emails={emails}
          words={{
            archive: t`Archive ${count}`,
            delete: t`Delete ${count}`,
            mark_read: t`Mark ${count} read`,
            mark_unread: t`Mark ${count} unread`,
          }}
          onAction={(action) => props.onAction(action, emails)}
        />
      </div>
    </>
  );
};

const LoadFailure = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => {
  if (isNotFound(error)) {
    return (
      <p className={classes.summary} role="alert">
        <Trans>This conversation is not in the mailbox any more.</Trans>
      </p>
    );
  }
  const { title, advice } = describeError(error);
  return (
    <p className={classes.summary} role="alert">
      {title}. {advice} <RetryButton onClick={onRetry} />
    </p>
  );
};

/**
 * What of a conversation is in the inbox, and what can be done with it: exactly these emails are acted upon. It is read
 * again each time: an old list would offer emails that have left.
 */
export const ConversationEmails = (props: {
  email: Email;
  threadId: string;
  onAction: (action: InboxAction, emails: Email[]) => void;
}) => {
  const { email, threadId, onAction } = props;
  const { client } = useApi();
  const query = useQuery({
    queryKey: ['conversation', threadId],
    queryFn: ({ signal }) => client.readConversation({ params: { threadId }, signal }),
    gcTime: 0,
    // What is shown is what is acted upon, so it does not change by itself.
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (query.isPending) {
    return (
      <p className={classes.summary} role="status">
        <Loader size="xs" aria-hidden="true" /> <Trans>Looking for the other emails…</Trans>
      </p>
    );
  }
  if (query.error) return <LoadFailure error={query.error} onRetry={() => void query.refetch()} />;
  const { emails, otherMessages } = query.data;
  if (emails.some(({ id }) => id !== email.id)) {
    return <Offer conversation={query.data} openId={email.id} onAction={onAction} />;
  }
  return (
    <p className={classes.summary} role="status">
      <Trans>No other email of this conversation is in your inbox.</Trans>
      {toOthersNote(otherMessages)}
    </p>
  );
};
