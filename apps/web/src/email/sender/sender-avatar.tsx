import { memo } from 'react';
import { parseSender, toInitials, toStableIndex } from './sender.ts';
import classes from './sender-avatar.module.css';

const HUES = 8;

/** Initials on a colour that stays with the sender. Decoration only. */
export const SenderAvatar = memo(({ from, size = 'md' }: { from: string; size?: 'sm' | 'md' | 'lg' }) => {
  const sender = parseSender(from);
  return (
    <span
      className={classes.avatar}
      data-hue={toStableIndex(sender.key, HUES)}
      data-size={size}
      aria-hidden="true"
    >
      {toInitials(sender.name)}
    </span>
  );
});
