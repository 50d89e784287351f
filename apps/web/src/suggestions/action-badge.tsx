import type { SuggestedAction } from '@mailsweep/contracts';
import { IconArchive, IconEye, IconTag, IconTrash } from '@tabler/icons-react';
import classes from './action-badge.module.css';
import { ACTION_NAMES } from './suggestion-words.ts';

const ICONS = { archive: IconArchive, delete: IconTrash, label: IconTag, notify: IconEye };

/** What is suggested: sign and word, with the number of emails where there are several. */
export const ActionBadge = ({ action, count }: { action: SuggestedAction; count?: number }) => {
  const Icon = ICONS[action];
  return (
    <span className={classes.badge} data-action={action}>
      <Icon size={14} stroke={1.9} aria-hidden="true" />
      {ACTION_NAMES[action]}
      {count !== undefined && <span className={classes.count}>{count}</span>}
    </span>
  );
};
