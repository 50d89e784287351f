import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Email } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { EmailFacts, EmailPane } from '../../email/email-pane.tsx';
import { CATEGORY_NAMES } from '../../email/email-words.ts';
import { formatBytes, formatMegabytes } from '../../email/sizes.ts';
import { describeSent, formatExact } from '../../time/format-time.tsx';
import type { Triage } from '../actions/use-triage.ts';
import { ConversationPanel, EmailButtons } from './conversation-panel.tsx';
import classes from './email-details.module.css';

/** Everything known about an email, beside the list, which stays usable. */
export const EmailDetails = (props: {
  email: Email;
  /** Other emails of its conversation that are listed and in the inbox. */
  othersListed: number;
  triage: Triage;
  onClose: () => void;
}) => {
  const { email, triage } = props;
  return (
    <EmailPane
      label={t`Email details`}
      email={email}
      closeLabel={t`Close details`}
      onClose={props.onClose}
      className={classes.pane}
    >
      <EmailFacts
        className={classes.facts}
        facts={[
          email.isSenderUnclear && [t`Sender unclear`, t`Email programs disagree who wrote this.`],
          email.isDiscussion && [t`Mailing list`, t`A discussion, no newsletter`],
          [t`Received`, formatExact(new Date(email.date))],
          email.sentAt !== undefined && [t`Sent`, describeSent(email.sentAt)],
          email.mailboxes && [t`Mailboxes`, email.mailboxes.join(', ')],
          [t`Category`, i18n._(CATEGORY_NAMES[email.category])],
          [t`State`, email.isRead ? t`Read` : t`Unread`],
          [t`Attachments`, email.hasAttachment ? formatMegabytes(email.attachmentSizeMb) : t`None`],
          [t`Whole size`, formatBytes(email.size)],
        ]}
      />
      <div className={classes.actions}>
        <EmailButtons emails={[email]} onAction={(action) => triage.request(action, [email])} />
        {!email.isSenderUnclear && (
          <Button variant="subtle" onClick={triage.selectSender}>
            <Trans>Select all from this sender</Trans>
          </Button>
        )}
      </div>
      {email.threadId !== undefined && (
        <ConversationPanel
          key={email.id}
          email={email}
          threadId={email.threadId}
          othersListed={props.othersListed}
          triage={triage}
        />
      )}
    </EmailPane>
  );
};
