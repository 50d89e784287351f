import { Modal, useMantineColorScheme } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { useOpenOnceMounted } from '../controls/use-open-once-mounted.ts';
import { toKeyCaps } from '../keyboard/key-combination.ts';
import { useShortcutList } from '../keyboard/keyboard-context.tsx';
import type { ShortcutGroup } from '../keyboard/shortcut.ts';
import classes from './command-palette.module.css';
import { type Command, filterCommands } from './commands.ts';
import { isApplePlatform } from './platform.ts';
import { useSignOut } from './use-sign-out.ts';

/** What is sought most often comes first. */
const GROUP_ORDER: ShortcutGroup[] = ['Act', 'Go to', 'Select', 'Move', 'Everywhere'];

const useCommands = (onHelp: () => void): Command[] => {
  const list = useShortcutList();
  const { setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  return useMemo(
    () => [
      ...[...list()]
        .sort((a, b) => GROUP_ORDER.indexOf(a.group) - GROUP_ORDER.indexOf(b.group))
        .filter(
          (shortcut) => !shortcut.hidden && !['Command palette', 'Keyboard help'].includes(shortcut.label),
        )
        .map(({ group, label, keys, run }) => ({
          name: group === 'Go to' ? `Go to ${label}` : label,
          keys: keys[0],
          run,
        })),
      { name: 'Keyboard help', keys: '?', run: onHelp },
      { name: 'Use the light theme', run: () => setColorScheme('light') },
      { name: 'Use the dark theme', run: () => setColorScheme('dark') },
      { name: 'Use the theme of the system', run: () => setColorScheme('auto') },
      { name: 'Sign out', run: () => signOut('here') },
    ],
    [list, onHelp, setColorScheme, signOut],
  );
};

const CommandSearch = ({ onClose, onHelp }: { onClose: () => void; onHelp: () => void }) => {
  const listId = useId();
  const [words, setWords] = useState('');
  const [activeIndex, setActiveIndex] = useState(0);
  const commands = useCommands(onHelp);
  const found = filterCommands(commands, words);
  const isApple = isApplePlatform();
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setActiveIndex((index) => (index + step + found.length) % Math.max(1, found.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(found[activeIndex]);
    }
  };
  return (
    <>
      <div className={classes.field}>
        <IconSearch size={18} aria-hidden="true" />
        <input
          data-autofocus
          role="combobox"
          aria-label="Command"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={found[activeIndex] && `${listId}-${activeIndex}`}
          placeholder="What do you want to do?"
          value={words}
          onChange={(event) => {
            setWords(event.currentTarget.value);
            setActiveIndex(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div role="listbox" id={listId} aria-label="Commands" className={classes.list}>
        {found.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the input's, which names the active option
          <div
            key={command.name}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === activeIndex}
            className={classes.option}
            onClick={() => run(command)}
            onMouseMove={() => setActiveIndex(index)}
          >
            <span>{command.name}</span>
            {command.keys && (
              <span className={classes.keys}>
                {toKeyCaps(command.keys, isApple).map((cap) => (
                  <kbd key={cap}>{cap}</kbd>
                ))}
              </span>
            )}
          </div>
        ))}
        {found.length === 0 && <p className={classes.nothing}>No command has these words.</p>}
      </div>
    </>
  );
};

/** Everything the app can do on this screen, found by typing. */
export const CommandPalette = (props: { isOpen: boolean; onClose: () => void; onHelp: () => void }) => (
  <Modal.Root
    opened={useOpenOnceMounted(props.isOpen)}
    onClose={props.onClose}
    padding={0}
    size={560}
    yOffset="14vh"
    transitionProps={{ duration: 100 }}
  >
    <Modal.Overlay />
    <Modal.Content aria-label="Command palette">
      <CommandSearch onClose={props.onClose} onHelp={props.onHelp} />
    </Modal.Content>
  </Modal.Root>
);
