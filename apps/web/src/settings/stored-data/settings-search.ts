import { readChoice, type Search } from '../../address/read-search.ts';

const SENSITIVE_ACTIONS = ['export', 'erase', 'token', 'mailboxes'] as const;
/** Actions that need a recent sign-in. */
export type SensitiveAction = (typeof SENSITIVE_ACTIONS)[number];

interface SettingsSearch {
  /** What to continue after a new sign-in. */
  continue?: SensitiveAction | undefined;
  /** Why no mailbox was added, and its provider if that is not Google. */
  error?: string | undefined;
  provider?: string | undefined;
}

const readText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const readSettingsSearch = (search: Search): SettingsSearch => ({
  continue: readChoice(search.continue, SENSITIVE_ACTIONS),
  error: readText(search.error),
  provider: readText(search.provider),
});
