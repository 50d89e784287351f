import { Trans } from '@lingui/react/macro';
import type { SuggestionGroup } from '@mailsweep/contracts';
import {
  IconBell,
  IconChevronRight,
  IconClockPause,
  IconNews,
  IconPaperclip,
  IconSparkles,
  IconTag,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { formatCount } from '../email/counts.ts';
import { parseSender } from '../email/sender/sender.ts';
import { formatBytes } from '../email/sizes.ts';
import shapes from '../shapes.module.css';
import { describeReason } from '../suggestions/suggestion-words.ts';
import classes from './group-card.module.css';

const ICONS: Record<string, typeof IconTag> = {
  bulk: IconNews,
  promotions_old: IconTag,
  recurring_notification: IconBell,
  stale_unread: IconClockPause,
  large_attachment: IconPaperclip,
};

/** Emails of one classification that can be cleaned, and the way to them. */
export const GroupCard = ({ group }: { group: SuggestionGroup }) => {
  const Icon = ICONS[group.key] ?? IconSparkles;
  const sender = group.newestFrom === '' ? '' : parseSender(group.newestFrom).name;
  return (
    <Link
      to="/suggestions"
      search={{ by: 'reason', show: 'everything' }}
      hash={group.key}
      className={classes.card}
    >
      <span className={classes.icon} aria-hidden="true">
        <Icon size={20} stroke={1.7} />
      </span>
      <span className={classes.name}>{describeReason(group.key).name}</span>{' '}
      <span className={classes.count}>
        {formatCount(group.emails)}{' '}
        <span className="sr-only">
          <Trans>emails,</Trans>
        </span>
      </span>{' '}
      <span className={classes.facts}>
        <span>{formatBytes(group.sizeBytes)}</span>{' '}
        {sender !== '' && (
          <span className={`${shapes.oneLine} ${classes.example}`}>
            <Trans>
              such as <bdi>{sender}</bdi>
            </Trans>
          </span>
        )}
      </span>
      <IconChevronRight size={18} className={classes.arrow} aria-hidden="true" />
    </Link>
  );
};
