import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconMoodSmile, IconSparkles } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { countEmails } from '../../email/counts.ts';
import { EMAIL_ACTIONS } from '../../email/email-actions.ts';
import { parseSender } from '../../email/sender/sender.ts';
import { SenderAvatar } from '../../email/sender/sender-avatar.tsx';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { NextWins, Payoff, usePayoff } from '../../home/payoff.tsx';
import { useInboxActions } from '../../inbox/actions/use-inbox-actions.ts';
import shapes from '../../shapes.module.css';
import { Timestamp } from '../../time/format-time.tsx';
import classes from './no-suggestions.module.css';
import type { ReviewFilters, Shown } from './review-filters.ts';
import type { Queue } from './use-queue.ts';

/** While the classification service fails: the emails, to clean by hand. */
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
                    aria-label={action === 'archive' ? t`Archive ${subject}` : t`Trash ${subject}`}
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

/** Nothing to decide: offers what else to do. */
export const NoSuggestions = (props: {
  queue: Queue;
  shown: Shown;
  onChange: (change: Partial<ReviewFilters>) => void;
}) => {
  const { queue, shown, onChange } = props;
  const payoff = usePayoff();
  const { likely, check } = queue.confidence ?? { likely: 0, check: 0 };
  const lessSure = (shown === 'sure' ? likely : 0) + (shown === 'everything' ? 0 : check);
  if (lessSure > 0) {
    const isLikely = shown === 'sure' && likely > 0;
    return (
      <EmptyState
        icon={<IconSparkles />}
        title={shown === 'sure' ? t`Nothing is left that is safe to clean` : t`Nothing probable is left`}
        actions={
          <Button onClick={() => onChange({ show: isLikely ? 'likely' : 'everything' })}>
            {isLikely ? t`Show the probable ones` : t`Show the ones to check`}
          </Button>
        }
      >
        <Trans>Less certain suggestions for {countEmails(lessSure)} are waiting.</Trans>
      </EmptyState>
    );
  }
  if (queue.newest.emails.length === 0) {
    return (
      <EmptyState icon={<IconSparkles />} title={t`Nothing to suggest`}>
        <Trans>Your inbox is empty. Suggestions for new email show up here.</Trans>
      </EmptyState>
    );
  }
  return (
    <>
      <Payoff />
      <EmptyState
        icon={<IconSparkles />}
        title={t`Nothing left to decide`}
        actions={
          <>
            {!payoff && <NextWins />}
            <Button variant="default" component={Link} to="/inbox">
              <Trans>Go to the inbox</Trans>
            </Button>
          </>
        }
      >
        {queue.coverage?.complete
          ? t`Every suggestion is decided. Those for new email show up here.`
          : t`Every suggestion so far is decided. Further back there may be more to clear.`}
      </EmptyState>
    </>
  );
};
