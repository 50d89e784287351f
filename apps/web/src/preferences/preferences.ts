import { useMemo, useSyncExternalStore } from 'react';

const STORAGE_KEY = 'mailsweep.preferences';

/** What the user chose on this device. */
export interface Preferences {
  /** Plain letters as shortcuts; can be switched off for speech input (WCAG 2.1.4). */
  singleKeyShortcuts: boolean;
}

/** Nothing stored, or nothing that can be read, is as if nothing had been chosen. */
const parsePreferences = (text: string | null): Preferences => {
  try {
    return { singleKeyShortcuts: JSON.parse(text ?? '{}').singleKeyShortcuts !== false };
  } catch {
    return { singleKeyShortcuts: true };
  }
};

const readText = (): string | null => localStorage.getItem(STORAGE_KEY);

const CHANGE_EVENT = 'mailsweep:preferences';

const subscribe = (onChange: () => void) => {
  window.addEventListener(CHANGE_EVENT, onChange);
  window.addEventListener('storage', onChange);
  return () => {
    window.removeEventListener(CHANGE_EVENT, onChange);
    window.removeEventListener('storage', onChange);
  };
};

/** The user's preferences on this device. */
export const usePreferences = (): Preferences => {
  const text = useSyncExternalStore(subscribe, readText);
  return useMemo(() => parsePreferences(text), [text]);
};

/** Changes some preferences, in every tab of this browser. */
export const savePreferences = (change: Partial<Preferences>): void => {
  localStorage.setItem(STORAGE_KEY, JSON.stringify({ ...parsePreferences(readText()), ...change }));
  window.dispatchEvent(new Event(CHANGE_EVENT));
};
