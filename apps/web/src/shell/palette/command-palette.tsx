import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { hasWords, MAX_SEARCH_LENGTH, toWords } from '@mailsweep/contracts';
import { Modal, useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useContext, useId, useMemo, useState } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { SENDER_LISTS_KEY } from '../../api/query-keys.ts';
import { useBackCloses } from '../../controls/back-closes.ts';
import { useReturnedFocus } from '../../controls/use-returned-focus.ts';
import { countEmails } from '../../email/counts.ts';
import { parseSender } from '../../email/sender/sender.ts';
import { SenderSheetContext } from '../../email/sender/sender-button.tsx';
import { toKeyCaps } from '../../keyboard/key-caps.ts';
import { type ShortcutGroup, useShortcutList } from '../../keyboard/keyboard-context.tsx';
import shapes from '../../shapes.module.css';
import { formatShortDate } from '../../time/format-time.tsx';
import { isApplePlatform } from '../navigation/navigation.tsx';
import classes from './command-palette.module.css';
import { useSignOut } from './use-sign-out.ts';

const COMMAND_GROUPS = {
  Commands: msg`Commands`,
  Search: msg`Search`,
  Senders: msg`Senders`,
  Emails: msg`Emails`,
};

interface Command {
  /** Default: the name. */
  key?: string;
  group: keyof typeof COMMAND_GROUPS;
  name: string;
  /** Tells lines of the same name apart. */
  detail?: string;
  keys?: string | undefined;
  run: () => void;
}

const toKey = ({ group, name, key = name }: Command): string => `${group} ${key}`;

const SHOWN = 5;
/** Shorter texts match too many senders. */
const MIN_SENDER_LENGTH = 2;
/** Reads our database. Unit: milliseconds. */
const SENDER_PAUSE_MS = 150;
/** Each search of emails costs the provider's quota, so wait for a meaningful text and a pause. */
const MIN_SEARCH_LENGTH = 3;
const SEARCH_PAUSE_MS = 400;
/** Unit: milliseconds. */
const STALE_MS = 60_000;

/** Senders that match every typed word. */
const useFoundSenders = (text: string): Command[] => {
  const { client } = useApi();
  const openSheet = useContext(SenderSheetContext);
  const [search] = useDebouncedValue(text, SENDER_PAUSE_MS);
  const isSearching = search.length >= MIN_SENDER_LENGTH;
  const { data: found = [] } = useQuery({
    queryKey: [...SENDER_LISTS_KEY, 'found', search],
    queryFn: async ({ signal }) =>
      (await client.listSenders({ query: { search, perPage: SHOWN }, signal })).data,
    enabled: isSearching,
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
    retry: false,
  });
  if (!isSearching || text === '') return [];
  return found.map(({ id, from, mails }) => {
    const { name, address } = parseSender(from);
    return {
      key: id,
      group: 'Senders',
      name,
      detail: [...(address === name ? [] : [address]), countEmails(mails)].join(' · '),
      run: () => openSheet({ senderId: id, from }),
    };
  });
};

/** The newest emails that match in the whole mailbox, and a link to all. */
const useFoundEmails = (text: string): Command[] => {
  const { client } = useApi();
  const navigate = useNavigate();
  const [search] = useDebouncedValue(text, SEARCH_PAUSE_MS);
  const { data } = useQuery({
    queryKey: ['found-emails', search],
    queryFn: ({ signal }) => client.listEmails({ query: { search, scope: 'all', pageSize: SHOWN }, signal }),
    enabled: search.length >= MIN_SEARCH_LENGTH && search === text,
    staleTime: STALE_MS,
    // A half-typed search may be wrong.
    retry: false,
  });
  if (text === '') return [];
  const open = (email?: string) =>
    void navigate({ to: '/inbox', search: { q: text, scope: 'all', ...(email && { email }) } });
  return [
    { key: 'all', group: 'Search', name: t`Search emails for “${text}”`, run: () => open() },
    ...(search === text ? (data?.emails ?? []) : []).map(({ id, from, subject, date }) => ({
      key: id,
      group: 'Emails' as const,
      name: subject.trim() || t`(no subject)`,
      detail: `${parseSender(from).name} · ${formatShortDate(new Date(date), new Date())}`,
      run: () => open(id),
    })),
  ];
};

/** The palette is open, and the help has its own line. */
const OFFERED_OTHERWISE = ['mod+k', '?'];
/** The most sought first. */
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
  /** By key: later results may come before it. */
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const commands = useCommands(onHelp);
  const words = toWords(text);
  const senders = useFoundSenders(text.trim());
  // In the order of the groups that show them, as the arrow keys go through them.
  const [search = [], ...emails] = useFoundEmails(text.trim());
  const found = [commands.filter(({ name }) => hasWords(name, words)), search, senders, emails].flat();
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
        {Object.entries(COMMAND_GROUPS).map(([group, groupName]) => {
          const members = found.filter((command) => command.group === group);
          return (
            members.length > 0 && (
              // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox
              <div key={group} role="group" aria-label={i18n._(groupName)}>
                {text !== '' && (
                  <div className={classes.group} aria-hidden="true">
                    {i18n._(groupName)}
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

/** Everything that the app can do here, and senders and emails, by typing. */
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
