import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Email } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconArchive, IconTrash } from '@tabler/icons-react';
import { CATEGORY_NAMES } from '../../email/categories.ts';
import { EmailHeading } from '../../email/email-heading.tsx';
import { READ_CHANGES, toReadChange } from '../../email/read-change.ts';
import { SenderPane } from '../../email/sender/sender-pane.tsx';
import { formatBytes, formatMegabytes } from '../../email/sizes.ts';
import { useMe } from '../../session/me-query.ts';
import { formatExact } from '../../time/format-time.ts';
import type { Triage } from '../actions/use-triage.ts';
import { ConversationPanel } from './conversation-panel.tsx';
import classes from './email-details.module.css';

const Facts = ({ email }: { email: Email }) => (
  <dl className={classes.facts}>
    <dt>
      <Trans>Received</Trans>
    </dt>
    <dd>{formatExact(new Date(email.date))}</dd>
    <dt>
      <Trans>Category</Trans>
    </dt>
    <dd>{i18n._(CATEGORY_NAMES[email.category])}</dd>
    <dt>
      <Trans>State</Trans>
    </dt>
    <dd>{email.isRead ? t`Read` : t`Unread`}</dd>
    <dt>
      <Trans>Attachments</Trans>
    </dt>
    <dd>{email.hasAttachment ? formatMegabytes(email.attachmentSizeMb) : t`None`}</dd>
    <dt>
      <Trans>Whole size</Trans>
    </dt>
    <dd>{formatBytes(email.size)}</dd>
  </dl>
);

/** Everything known about one email, as text, over the end of the list, which stays usable. */
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
  const readChange = toReadChange([email]);
  const { icon: ReadIcon } = READ_CHANGES[readChange];
  return (
    <SenderPane
      label={t`Email details`}
      from={email.from}
      emailId={email.id}
      closeLabel={t`Close details`}
      onClose={onClose}
      className={classes.pane}
    >
      <EmailHeading email={email} account={me?.email} />
      <Facts email={email} />
      <div className={classes.actions}>
        <Button
          variant="light"
          leftSection={<IconArchive size={16} />}
          onClick={() => triage.request('archive', [email])}
        >
          <Trans>Archive</Trans>
        </Button>
        <Button
          variant="default"
          leftSection={<IconTrash size={16} />}
          onClick={() => triage.request('delete', [email])}
        >
          <Trans>Delete</Trans>
        </Button>
        <Button
          variant="default"
          leftSection={<ReadIcon size={16} />}
          onClick={() => triage.request(readChange, [email])}
        >
          {i18n._(READ_CHANGES[readChange].name)}
        </Button>
        <Button variant="subtle" onClick={triage.selectSender}>
          <Trans>Select all from this sender</Trans>
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
