import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { MAX_SEARCH_LENGTH } from '@mailsweep/contracts';
import { Modal, useMantineColorScheme } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { useBackCloses } from '../../controls/back-closes.ts';
import { useReturnedFocus } from '../../controls/use-returned-focus.ts';
import { toKeyCaps } from '../../keyboard/key-caps.ts';
import { useShortcutList } from '../../keyboard/keyboard-context.tsx';
import type { ShortcutGroup } from '../../keyboard/shortcut.ts';
import shapes from '../../shapes.module.css';
import { isApplePlatform } from '../navigation/platform.ts';
import classes from './command-palette.module.css';
import { COMMAND_GROUP_NAMES, COMMAND_GROUPS, type Command, filterCommands, toKey } from './commands.ts';
import { useFoundMail } from './use-found-mail.ts';
import { useSignOut } from './use-sign-out.ts';

/** The palette itself is open; the help is listed on its own. */
const OFFERED_OTHERWISE = ['mod+k', '?'];
/** What is sought most often comes first. */
const GROUP_ORDER: ShortcutGroup[] = ['Act', 'Go to', 'Select', 'Move', 'Everywhere'];

const useCommands = (onHelp: () => void): Command[] => {
  const list = useShortcutList();
  const { setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  return useMemo(
    () =>
      [
        ...[...list()]
          .sort((a, b) => GROUP_ORDER.indexOf(a.group) - GROUP_ORDER.indexOf(b.group))
          .filter(
            (shortcut) => !shortcut.hidden && !OFFERED_OTHERWISE.some((keys) => shortcut.keys.includes(keys)),
          )
          .map(({ group, label, keys, run }) => ({
            name: group === 'Go to' ? t`Go to ${label}` : label,
            keys: keys[0],
            run,
          })),
        { name: t`Keyboard help`, keys: '?', run: onHelp },
        { name: t`Use the light theme`, run: () => setColorScheme('light') },
        { name: t`Use the dark theme`, run: () => setColorScheme('dark') },
        { name: t`Use the theme of the system`, run: () => setColorScheme('auto') },
        { name: t`Sign out`, run: () => signOut('here') },
      ].map((command) => ({ ...command, group: 'Commands' as const })),
    [list, onHelp, setColorScheme, signOut],
  );
};

const Option = (props: {
  command: Command;
  id: string;
  isActive: boolean;
  onRun: () => void;
  onPoint: () => void;
}) => {
  const { name, detail, keys } = props.command;
  const isApple = isApplePlatform();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the input's, which names the active option
    <div
      id={props.id}
      role="option"
      tabIndex={-1}
      aria-selected={props.isActive}
      className={classes.option}
      onClick={props.onRun}
      onMouseMove={props.onPoint}
    >
      <bdi className={`${shapes.oneLine} ${classes.name}`}>{name}</bdi>{' '}
      {detail && <bdi className={`${shapes.oneLine} ${classes.detail}`}>{detail}</bdi>}
      {keys && (
        <span className={classes.keys}>
          {toKeyCaps(keys, isApple).map((cap) => (
            <kbd key={cap}>{cap}</kbd>
          ))}
        </span>
      )}
    </div>
  );
};

const CommandSearch = ({ onClose, onHelp }: { onClose: () => void; onHelp: () => void }) => {
  const listId = useId();
  const [text, setText] = useState('');
  /** By its key: what is found later may come before it. */
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const commands = useCommands(onHelp);
  const mail = useFoundMail(text);
  const found = [...filterCommands(commands, text), ...mail];
  const activeIndex = Math.max(
    0,
    found.findIndex((command) => toKey(command) === activeKey),
  );
  const active = found[activeIndex];
  const idOf = (command: Command) => `${listId}-${found.indexOf(command)}`;
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = found[(activeIndex + step + found.length) % Math.max(1, found.length)];
      if (!next) return;
      setActiveKey(toKey(next));
      document.getElementById(idOf(next))?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      run(active);
    }
  };
  return (
    <>
      <div className={classes.field}>
        <IconSearch size={18} aria-hidden="true" />
        <input
          data-autofocus
          role="combobox"
          aria-label={t`Command, sender or email`}
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={active && idOf(active)}
          placeholder={t`What do you want to do or find?`}
          value={text}
          maxLength={MAX_SEARCH_LENGTH}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setActiveKey(null);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div role="listbox" id={listId} aria-label={t`Results`} className={classes.list}>
        {COMMAND_GROUPS.map((group) => {
          const members = found.filter((command) => command.group === group);
          return (
            members.length > 0 && (
              // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox
              <div key={group} role="group" aria-label={i18n._(COMMAND_GROUP_NAMES[group])}>
                {text !== '' && (
                  <div className={classes.group} aria-hidden="true">
                    {i18n._(COMMAND_GROUP_NAMES[group])}
                  </div>
                )}
                {members.map((command) => (
                  <Option
                    key={toKey(command)}
                    id={idOf(command)}
                    command={command}
                    isActive={command === active}
                    onRun={() => run(command)}
                    onPoint={() => setActiveKey(toKey(command))}
                  />
                ))}
              </div>
            )
          );
        })}
      </div>
    </>
  );
};

/** Everything the app can do on this screen, and senders and emails, found by typing. */
export const CommandPalette = (props: { isOpen: boolean; onClose: () => void; onHelp: () => void }) => {
  useBackCloses(props.isOpen, props.onClose);
  useReturnedFocus(props.isOpen);
  return (
    <Modal.Root
      opened={props.isOpen}
      returnFocus={false}
      onClose={props.onClose}
      padding={0}
      size={560}
      yOffset="14vh"
      transitionProps={{ duration: 100 }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={t`Command palette`}>
        <CommandSearch onClose={props.onClose} onHelp={props.onHelp} />
      </Modal.Content>
    </Modal.Root>
  );
};
