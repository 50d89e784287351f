import { storeText } from '../session/store-text.ts';

const STORAGE_KEY = 'mailsweep.preferences';

export interface Preferences {
  /** Letter keys as shortcuts; speech input needs them off (WCAG 2.1.4). */
  singleKeyShortcuts: boolean;
  /** Whether the home screen explains cleaning. */
  showsSteps: boolean;
  /** `system` follows the browser. */
  language: 'system' | 'en' | 'de';
}

const DEFAULTS: Preferences = { singleKeyShortcuts: true, showsSteps: true, language: 'system' };
const LANGUAGES: readonly unknown[] = ['system', 'en', 'de'] satisfies Preferences['language'][];

const isValid = (name: string, value: unknown): boolean =>
  name === 'language' ? LANGUAGES.includes(value) : typeof value === 'boolean';

/** Unreadable text counts as no choice. */
export const parsePreferences = (text: string | null): Preferences => {
  try {
    const stored: Record<string, unknown> = JSON.parse(text ?? '{}');
    const entries = Object.entries(DEFAULTS).map(([name, value]) => [
      name,
      isValid(name, stored[name]) ? stored[name] : value,
    ]);
    return Object.fromEntries(entries);
  } catch {
    return DEFAULTS;
  }
};

/** The stored text, for comparing snapshots. */
export const readPreferencesText = (): string | null => localStorage.getItem(STORAGE_KEY);

export const readPreferences = (): Preferences => parsePreferences(readPreferencesText());

export const writePreferences = (preferences: Preferences): void =>
  storeText(localStorage, STORAGE_KEY, JSON.stringify(preferences));
