import { useMemo, useSyncExternalStore } from 'react';
import { z } from 'zod';

const STORAGE_KEY = 'mailsweep.preferences';

const PreferencesSchema = z.object({
  /** Plain letters as shortcuts; can be switched off for speech input (WCAG 2.1.4). */
  singleKeyShortcuts: z.boolean().catch(true).default(true),
});
export type Preferences = z.infer<typeof PreferencesSchema>;

const parsePreferences = (text: string | null): Preferences => {
  try {
    return PreferencesSchema.parse(JSON.parse(text ?? '{}'));
  } catch {
    return PreferencesSchema.parse({});
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

/** The person's preferences on this device. */
export const usePreferences = (): Preferences => {
  const text = useSyncExternalStore(subscribe, readText);
  return useMemo(() => parsePreferences(text), [text]);
};

/** Changes some preferences, in every tab of this browser. */
export const savePreferences = (change: Partial<Preferences>): void => {
  localStorage.setItem(STORAGE_KEY, JSON.stringify({ ...parsePreferences(readText()), ...change }));
  window.dispatchEvent(new Event(CHANGE_EVENT));
};
