import { useMemo, useSyncExternalStore } from 'react';
import {
  type Preferences,
  parsePreferences,
  readPreferences,
  readPreferencesText,
  writePreferences,
} from './stored-preferences.ts';

const CHANGE_EVENT = 'mailsweep:preferences';

const subscribe = (onChange: () => void) => {
  window.addEventListener(CHANGE_EVENT, onChange);
  window.addEventListener('storage', onChange);
  return () => {
    window.removeEventListener(CHANGE_EVENT, onChange);
    window.removeEventListener('storage', onChange);
  };
};

export const usePreferences = (): Preferences => {
  const text = useSyncExternalStore(subscribe, readPreferencesText);
  return useMemo(() => parsePreferences(text), [text]);
};

export const savePreferences = (change: Partial<Preferences>): void => {
  writePreferences({ ...readPreferences(), ...change });
  window.dispatchEvent(new Event(CHANGE_EVENT));
};
