import { createContext, type ReactNode, useContext, useLayoutEffect, useMemo, useRef } from 'react';
import { usePreferences } from '../device-preferences/preferences.ts';
import { isSingleCharacter, toKeyName } from './key-combination.ts';

export const SHORTCUT_GROUPS = ['Go to', 'Move', 'Select', 'Act', 'Everywhere'] as const;
export type ShortcutGroup = (typeof SHORTCUT_GROUPS)[number];

export interface Shortcut {
  /** Any of these, as from `toKeyName`; a sequence has a space, for example `g i`. */
  keys: string[];
  label: string;
  group: ShortcutGroup;
  run: () => void;
  /** Hidden from the help: a second way to the same action. */
  hidden?: boolean;
}

export const inGroup = (
  group: ShortcutGroup,
  shortcuts: readonly (readonly [keys: string[], label: string, run: () => void])[],
): Shortcut[] => shortcuts.map(([keys, label, run]) => ({ keys, label, group, run }));

/** Time for the second key of a sequence. Unit: milliseconds. */
const SEQUENCE_TIMEOUT_MS = 1_200;

type Registration = { current: Shortcut[] };

const createRegistry = () => {
  const registrations = new Set<Registration>();
  return {
    add: (registration: Registration) => {
      registrations.add(registration);
      return () => void registrations.delete(registration);
    },
    list: () => [...registrations].flatMap((registration) => registration.current),
  };
};

type KeyboardRegistry = ReturnType<typeof createRegistry>;

const KeyboardContext = createContext<KeyboardRegistry | null>(null);

const TYPING =
  'input:not([type=checkbox]):not([type=radio]):not([type=range]), textarea, select, [contenteditable=true]';
const PRESSABLE =
  'button, a[href], summary, input[type=checkbox], input[type=radio], [role=menuitem], [role=option]';
/** These take the keys while open. */
const OVERLAY = '[aria-modal=true], [role=menu], [role=listbox]';

let isOverlaid = false;
/** Runs before all other listeners: a dialog that the key closes is gone when the shortcuts see the key. */
const noteOverlay = (): void => {
  isOverlaid = document.querySelector(OVERLAY) !== null;
};

const belongsElsewhere = (event: KeyboardEvent, keyName: string): boolean => {
  if (event.defaultPrevented || event.isComposing || isOverlaid) return true;
  const target = event.target instanceof Element ? event.target : null;
  if (!keyName.startsWith('mod+') && target?.closest(TYPING)) return true;
  return (keyName === 'Enter' || keyName === 'Space') && target?.closest(PRESSABLE) != null;
};

const findShortcut = (shortcuts: Shortcut[], combination: string): Shortcut | undefined =>
  // The latest wins: a screen may override a key of its frame.
  shortcuts.findLast((shortcut) => shortcut.keys.includes(combination));

const startsSequence = (shortcuts: Shortcut[], keyName: string): boolean =>
  shortcuts.some((shortcut) => shortcut.keys.some((keys) => keys.startsWith(`${keyName} `)));

export const KeyboardProvider = ({ children }: { children: ReactNode }) => {
  const registry = useMemo(createRegistry, []);
  const { singleKeyShortcuts } = usePreferences();

  const pending = useRef<{ keyName: string; at: number } | null>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const keyName = toKeyName(event);
    if (belongsElsewhere(event, keyName)) return;
    const shortcuts = registry.list();
    const first = pending.current;
    pending.current = null;
    const sequence =
      first && event.timeStamp - first.at < SEQUENCE_TIMEOUT_MS ? `${first.keyName} ${keyName}` : null;
    const combination = sequence && findShortcut(shortcuts, sequence) ? sequence : keyName;
    if (!singleKeyShortcuts && isSingleCharacter(combination)) return;
    const shortcut = findShortcut(shortcuts, combination);
    if (shortcut) {
      event.preventDefault();
      // A held key moves on through a list, but acts once.
      if (!event.repeat || shortcut.group === 'Move' || shortcut.group === 'Select') shortcut.run();
    } else if (startsSequence(shortcuts, keyName)) {
      pending.current = { keyName, at: event.timeStamp };
    }
  };
  useLayoutEffect(() => {
    window.addEventListener('keydown', noteOverlay, true);
    return () => window.removeEventListener('keydown', noteOverlay, true);
  }, []);
  useLayoutEffect(() => {
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  });

  return <KeyboardContext value={registry}>{children}</KeyboardContext>;
};

const useRegistry = (): KeyboardRegistry => {
  const registry = useContext(KeyboardContext);
  if (!registry) throw new Error('Shortcuts need a KeyboardProvider above them.');
  return registry;
};

export const useShortcuts = (shortcuts: Shortcut[]): void => {
  const registry = useRegistry();
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useLayoutEffect(() => registry.add(latest), [registry]);
};

export const useShortcutList = (): (() => Shortcut[]) => useRegistry().list;
