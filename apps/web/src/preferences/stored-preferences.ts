const STORAGE_KEY = 'mailsweep.preferences';

/** What the user chose on this device. */
export interface Preferences {
  /** Plain letters as shortcuts; can be switched off for speech input (WCAG 2.1.4). */
  singleKeyShortcuts: boolean;
  /** Whether the home screen still says how cleaning works. */
  showsSteps: boolean;
  /** `system` follows the browser. */
  language: 'system' | 'en' | 'de';
}

const DEFAULTS: Preferences = {
  singleKeyShortcuts: true,
  showsSteps: true,
  language: 'system',
};
const LANGUAGES: readonly unknown[] = ['system', 'en', 'de'] satisfies Preferences['language'][];

const isValid = (name: string, value: unknown): boolean =>
  name === 'language' ? LANGUAGES.includes(value) : typeof value === 'boolean';

/** Nothing stored, or nothing that can be read, is as if nothing had been chosen. */
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

/** The preferences as they are stored, which change only as a whole. */
export const readPreferencesText = (): string | null => localStorage.getItem(STORAGE_KEY);

export const readPreferences = (): Preferences => parsePreferences(readPreferencesText());

export const writePreferences = (preferences: Preferences): void =>
  localStorage.setItem(STORAGE_KEY, JSON.stringify(preferences));
