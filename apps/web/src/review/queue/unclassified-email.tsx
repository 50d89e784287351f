import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconMoodSmile } from '@tabler/icons-react';
import { EMAIL_ACTIONS } from '../../email/email-actions.ts';
import { parseSender } from '../../email/sender/sender.ts';
import { SenderAvatar } from '../../email/sender/sender-avatar.tsx';
import { useInboxActions } from '../../inbox/actions/use-inbox-actions.ts';
import shapes from '../../shapes.module.css';
import { Timestamp } from '../../time/timestamp.tsx';
import classes from './unclassified-email.module.css';
import type { Queue } from './use-queue.ts';

/** While the classification service gives no response: a gentle word, and the email to clean by hand. */
export const UnclassifiedEmail = ({ newest }: { newest: Queue['newest'] }) => {
  const perform = useInboxActions();
  return (
    <div className={shapes.scroll}>
      <div className={classes.banner} role="status">
        <IconMoodSmile size={22} stroke={1.7} aria-hidden="true" />
        <div>
          <strong>
            <Trans>Suggestions are taking a break.</Trans>
          </strong>
          <span>
            <Trans>
              The classification service does not respond right now. Here are your latest emails meanwhile.
            </Trans>
          </span>
        </div>
        <Button variant="light" loading={newest.isRefreshing} onClick={newest.refresh}>
          <Trans>Try again</Trans>
        </Button>
      </div>
      <ul className={shapes.plainList} aria-label={t`Latest emails`}>
        {newest.emails.map((email) => {
          const subject = email.subject.trim() || t`(no subject)`;
          return (
            <li key={email.id} className={classes.email}>
              <SenderAvatar from={email.from} />
              <bdi className={`${shapes.oneLine} ${classes.sender}`}>{parseSender(email.from).name}</bdi>
              <bdi className={`${shapes.oneLine} ${classes.subject}`}>{subject}</bdi>
              <Timestamp value={email.date} style="short" className={classes.date} />
              {(['archive', 'delete'] as const).map((action) => {
                const { name, icon: Icon } = EMAIL_ACTIONS[action];
                return (
                  <button
                    key={action}
                    type="button"
                    className={shapes.iconButton}
                    aria-label={action === 'archive' ? t`Archive ${subject}` : t`Delete ${subject}`}
                    title={i18n._(name)}
                    onClick={() => perform(action, [email.id])}
                  >
                    <Icon size={17} />
                  </button>
                );
              })}
            </li>
          );
        })}
      </ul>
    </div>
  );
};
