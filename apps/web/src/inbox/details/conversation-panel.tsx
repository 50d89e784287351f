import { i18n } from '@lingui/core';
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Conversation, Email, InboxAction } from '@mailsweep/contracts';
import { Button, Loader } from '@mantine/core';
import { IconMessages } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { describeError, isNotFound } from '../../api/errors.ts';
import { RetryButton } from '../../controls/load-buttons.tsx';
import { countEmails } from '../../email/counts.ts';
import { EMAIL_ACTIONS, toOffered, toReadChange } from '../../email/email-actions.ts';
import { TO_DO } from '../../email/email-words.ts';
import { parseSender } from '../../email/sender/sender.ts';
import { inGroup, useShortcuts } from '../../keyboard/keyboard-context.tsx';
import { SenderMark } from '../../protection/protections.tsx';
import shapes from '../../shapes.module.css';
import { Timestamp } from '../../time/format-time.tsx';
import type { Triage } from '../actions/use-triage.ts';
import classes from './conversation-panel.module.css';

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
      <SenderMark email={email} />
      {isOpen && (
        <span className={classes.open}>
          <Trans>This email</Trans>
        </span>
      )}
      <Timestamp value={email.date} sent={email.sentAt} style="short" />
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
        <EmailButtons emails={emails} isCounted onAction={(action) => props.onAction(action, emails)} />
      </div>
    </>
  );
};

const LoadFailure = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => {
  const { title, advice } = describeError(error);
  return (
    <p className={classes.summary} role="alert">
      {isNotFound(error) ? (
        <Trans>This conversation is not in the mailbox any more.</Trans>
      ) : (
        <>
          {title}. {advice} <RetryButton onClick={onRetry} />
        </>
      )}
    </p>
  );
};

/**
 * The conversation's emails in the inbox, and actions on exactly these. Read again each time: an old list would offer
 * emails that have left.
 */
const ConversationEmails = (props: {
  email: Email;
  threadId: string;
  onAction: (action: InboxAction, emails: Email[]) => void;
}) => {
  const { email, threadId, onAction } = props;
  const { client } = useApi();
  const [openedMs] = useState(Date.now);
  const query = useQuery({
    queryKey: ['conversation', threadId, openedMs],
    queryFn: ({ signal }) => client.readConversation({ params: { threadId }, signal }),
    // The user acts on what is shown, so it must not change by itself.
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

/** Actions on some emails. @param props.isCounted - whether the words have the number of emails */
export const EmailButtons = (props: {
  emails: readonly { isRead: boolean }[];
  isCounted?: boolean;
  onAction: (action: InboxAction) => void;
}) =>
  toOffered(toReadChange(props.emails)).map((action) => {
    const { name, icon: Icon } = EMAIL_ACTIONS[action];
    return (
      <Button
        key={action}
        variant={action === 'archive' ? 'light' : 'default'}
        leftSection={<Icon size={16} />}
        onClick={() => props.onAction(action)}
      >
        {props.isCounted ? TO_DO[action](countEmails(props.emails.length)) : i18n._(name)}
      </Button>
    );
  });

const toHint = (othersListed: number): string => {
  const rule = t`A conversation stays in the inbox as long as one of its emails is there.`;
  if (othersListed === 0) return rule;
  const listed = plural(othersListed, {
    one: '# more email of this conversation is on the list.',
    other: '# more emails of this conversation are on the list.',
  });
  return `${listed} ${rule}`;
};

/**
 * Loads a whole conversation on request: it costs the provider's quota.
 *
 * @param props.othersListed - its other emails that are listed and in the inbox
 */
export const ConversationPanel = (props: {
  email: Email;
  threadId: string;
  othersListed: number;
  triage: Pick<Triage, 'request'>;
}) => {
  const { email, threadId, othersListed, triage } = props;
  const [isAskedFor, setAskedFor] = useState(false);
  const section = useRef<HTMLElement>(null);
  useShortcuts(inGroup('Select', [[['c'], t`Show the whole conversation`, () => setAskedFor(true)]]));
  return (
    <section ref={section} className={classes.panel} aria-label={t`Conversation`} tabIndex={-1}>
      <h3 className={classes.title}>
        <Trans>Conversation</Trans>
      </h3>
      <p className={classes.hint}>{toHint(isAskedFor ? 0 : othersListed)}</p>
      {isAskedFor ? (
        <ConversationEmails
          email={email}
          threadId={threadId}
          onAction={(action, emails) => {
            setAskedFor(false);
            triage.request(action, emails);
          }}
        />
      ) : (
        <Button
          variant="default"
          leftSection={<IconMessages size={16} aria-hidden="true" />}
          onClick={() => {
            // The button goes away; keep the focus where the result appears.
            section.current?.focus();
            setAskedFor(true);
          }}
        >
          <Trans>Show the whole conversation</Trans>
        </Button>
      )}
    </section>
  );
};
