import { readChoice, type Search } from '../../address/read-search.ts';

const SENSITIVE_ACTIONS = ['export', 'erase', 'token', 'mailboxes'] as const;
/** Actions that need a recent sign-in. */
export type SensitiveAction = (typeof SENSITIVE_ACTIONS)[number];

/** What to continue after a new sign-in, as in the address. */
export const readSettingsSearch = (search: Search): { continue?: SensitiveAction } => ({
  continue: readChoice(search.continue, SENSITIVE_ACTIONS),
});
