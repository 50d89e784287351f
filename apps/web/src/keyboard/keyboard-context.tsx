import { createContext, type ReactNode, useContext, useLayoutEffect, useMemo, useRef } from 'react';
import { usePreferences } from '../preferences/preferences.ts';
import { isSingleCharacter, toKeyName } from './key-combination.ts';
import type { Shortcut } from './shortcut.ts';

/** How long the second key of a sequence may take. Unit: milliseconds. */
const SEQUENCE_TIMEOUT_MS = 1_200;

type Registration = { current: Shortcut[] };

const createRegistry = () => {
  const registrations = new Set<Registration>();
  return {
    add: (registration: Registration) => {
      registrations.add(registration);
      return () => void registrations.delete(registration);
    },
    /** Every shortcut of the screen at hand, as the help lists them. */
    list: () => [...registrations].flatMap((registration) => registration.current),
  };
};

type KeyboardRegistry = ReturnType<typeof createRegistry>;

const KeyboardContext = createContext<KeyboardRegistry | null>(null);

const TYPING =
  'input:not([type=checkbox]):not([type=radio]):not([type=range]), textarea, select, [contenteditable=true]';
const PRESSABLE =
  'button, a[href], summary, input[type=checkbox], input[type=radio], [role=menuitem], [role=option]';
/** While one of these is open the keys belong to it. */
const OVERLAY = '[aria-modal=true], [role=menu], [role=listbox]';

const belongsElsewhere = (event: KeyboardEvent, keyName: string): boolean => {
  if (event.defaultPrevented || event.isComposing) return true;
  if (document.querySelector(OVERLAY)) return true;
  const target = event.target instanceof Element ? event.target : null;
  if (!keyName.startsWith('mod+') && target?.closest(TYPING)) return true;
  return (keyName === 'Enter' || keyName === 'Space') && target?.closest(PRESSABLE) != null;
};

const findShortcut = (shortcuts: Shortcut[], combination: string): Shortcut | undefined =>
  // The latest wins: a screen may take over a key of the frame around it.
  shortcuts.findLast((shortcut) => shortcut.keys.includes(combination));

const startsSequence = (shortcuts: Shortcut[], keyName: string): boolean =>
  shortcuts.some((shortcut) => shortcut.keys.some((keys) => keys.startsWith(`${keyName} `)));

/** Listens to the keyboard for every screen below it. */
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
      shortcut.run();
    } else if (startsSequence(shortcuts, keyName)) {
      pending.current = { keyName, at: event.timeStamp };
    }
  };
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

/** Offers shortcuts for as long as the calling component is on screen: what is painted answers to its keys. */
export const useShortcuts = (shortcuts: Shortcut[]): void => {
  const registry = useRegistry();
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useLayoutEffect(() => registry.add(latest), [registry]);
};

/** Reads all shortcuts that are in force at the moment of the call. */
export const useShortcutList = (): (() => Shortcut[]) => useRegistry().list;
