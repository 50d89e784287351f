import type { Email } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconArchive, IconExternalLink, IconMail, IconTrash } from '@tabler/icons-react';
import { CATEGORY_NAMES } from '../email/categories.ts';
import { toGmailUrl } from '../email/provider-link.ts';
import { SenderPane } from '../email/sender-pane.tsx';
import { formatBytes, formatMegabytes } from '../email/sizes.ts';
import { useMe } from '../session/me-query.ts';
import { formatExact } from '../time/format-time.ts';
import { ConversationPanel } from './conversation-panel.tsx';
import classes from './email-details.module.css';
import type { Triage } from './use-triage.ts';

const Facts = ({ email }: { email: Email }) => (
  <dl className={classes.facts}>
    <dt>Received</dt>
    <dd>{formatExact(new Date(email.date))}</dd>
    <dt>Category</dt>
    <dd>{CATEGORY_NAMES[email.category]}</dd>
    <dt>State</dt>
    <dd>{email.isRead ? 'Read' : 'Unread'}</dd>
    <dt>Attachments</dt>
    <dd>{email.hasAttachment ? formatMegabytes(email.attachmentSizeMb) : 'None'}</dd>
    <dt>Whole size</dt>
    <dd>{formatBytes(email.size)}</dd>
  </dl>
);

/** Everything known about one email, as text, beside the list; the list stays usable. */
export const EmailDetails = ({
  email,
  othersListed,
  triage,
  onClose,
}: {
  email: Email;
  /** Other emails of its conversation that are on the list and in the inbox. */
  othersListed: number;
  triage: Triage;
  onClose: () => void;
}) => {
  const { data: me } = useMe();
  return (
    <SenderPane
      label="Email details"
      from={email.from}
      isAboutSender={false}
      closeLabel="Close details"
      onClose={onClose}
      className={classes.pane}
    >
      <h2 className={classes.subject}>
        <bdi>{email.subject.trim() || '(no subject)'}</bdi>
      </h2>
      <p className={classes.snippet}>
        <bdi>{email.snippet || 'No preview.'}</bdi>
      </p>
      {me && (
        <a className={classes.link} href={toGmailUrl(email.id, me.email)} target="_blank" rel="noreferrer">
          Read it in Gmail <IconExternalLink size={15} aria-hidden="true" />
        </a>
      )}
      <Facts email={email} />
      <div className={classes.actions}>
        <Button
          variant="light"
          leftSection={<IconArchive size={16} />}
          onClick={() => triage.request('archive', [email])}
        >
          Archive
        </Button>
        <Button
          variant="default"
          leftSection={<IconTrash size={16} />}
          onClick={() => triage.request('delete', [email])}
        >
          Delete
        </Button>
        <Button
          variant="default"
          leftSection={<IconMail size={16} />}
          onClick={() => triage.request('mark_unread', [email])}
        >
          Mark unread
        </Button>
        <Button variant="subtle" onClick={triage.selectSender}>
          Select all from this sender
        </Button>
      </div>
      {email.threadId !== undefined && (
        <ConversationPanel
          key={email.id}
          email={email}
          threadId={email.threadId}
          othersListed={othersListed}
          triage={triage}
        />
      )}
    </SenderPane>
  );
};
