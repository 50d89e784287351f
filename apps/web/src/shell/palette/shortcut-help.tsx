import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useMemo } from 'react';
import { Dialog } from '../../controls/dialog.tsx';
import { toKeyCaps } from '../../keyboard/key-caps.ts';
import {
  SHORTCUT_GROUPS,
  type Shortcut,
  type ShortcutGroup,
  useShortcutList,
} from '../../keyboard/keyboard-context.tsx';
import shapes from '../../shapes.module.css';
import { isApplePlatform } from '../navigation/navigation.tsx';
import classes from './shortcut-help.module.css';

const GROUP_NAMES: Record<ShortcutGroup, MessageDescriptor> = {
  'Go to': msg`Go to`,
  Move: msg`Move`,
  Select: msg`Select`,
  Act: msg`Act`,
  Everywhere: msg`Everywhere`,
};

const Keys = ({ shortcut }: { shortcut: Shortcut }) => {
  const isApple = isApplePlatform();
  return (
    <span className={classes.keys}>
      {shortcut.keys.slice(0, 2).map((combination, index) => (
        <span key={combination} className={classes.combination}>
          {index > 0 && (
            <span className={classes.or}>
              <Trans>or</Trans>
            </span>
          )}
          {toKeyCaps(combination, isApple).map((cap) => (
            <kbd key={cap}>{cap}</kbd>
          ))}
        </span>
      ))}
    </span>
  );
};

/** Every shortcut of the current screen. */
export const ShortcutHelp = ({ onClose }: { onClose: () => void }) => {
  const list = useShortcutList();
  const shortcuts = useMemo(() => list().filter((shortcut) => !shortcut.hidden), [list]);
  return (
    <Dialog onClose={onClose} title={t`Keyboard shortcuts`} size="lg" centered={false} closeLabel={t`Close`}>
      <div className={classes.groups}>
        {SHORTCUT_GROUPS.map((group) => {
          const members = shortcuts.filter((shortcut) => shortcut.group === group);
          return (
            members.length > 0 && (
              <section key={group} className={classes.group}>
                <h3 className={classes.title}>{i18n._(GROUP_NAMES[group])}</h3>
                <ul className={`${shapes.plainList} ${classes.list}`}>
                  {members.map((shortcut) => (
                    <li key={shortcut.label}>
                      <span>{shortcut.label}</span>
                      <Keys shortcut={shortcut} />
                    </li>
                  ))}
                </ul>
              </section>
            )
          );
        })}
      </div>
    </Dialog>
  );
};
