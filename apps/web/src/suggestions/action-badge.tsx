import { isSuggestedAction, type SuggestedAction } from '@mailsweep/contracts';
import { IconBulb, IconEye, IconTag, type Icon as IconType } from '@tabler/icons-react';
import { formatCount } from '../email/counts.ts';
import { EMAIL_ACTIONS } from '../email/email-actions.ts';
import classes from './action-badge.module.css';
import { toActionName } from './suggestion-words.ts';

const ICONS: Record<SuggestedAction, IconType> = {
  archive: EMAIL_ACTIONS.archive.icon,
  delete: EMAIL_ACTIONS.delete.icon,
  label: IconTag,
  notify: IconEye,
};

/** The sign of an action; what cannot be carried out is advice. */
export const toActionIcon = (action: string): IconType =>
  isSuggestedAction(action) ? ICONS[action] : IconBulb;

/** What is suggested: sign and word, with the number of emails where there are several. */
export const ActionBadge = ({ action, count }: { action: string; count?: number }) => {
  const Icon = toActionIcon(action);
  return (
    <span className={classes.badge} data-action={isSuggestedAction(action) ? action : 'advice'}>
      <Icon size={14} stroke={1.9} aria-hidden="true" />
      {toActionName(action)}
      {count !== undefined && <span className={classes.count}>{formatCount(count)}</span>}
    </span>
  );
};
