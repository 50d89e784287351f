import { readChoice, type Search } from '../../address/read-search.ts';

const SENSITIVE_ACTIONS = ['export', 'erase', 'token'] as const;
/** What a new sign-in was needed for. */
export type SensitiveAction = (typeof SENSITIVE_ACTIONS)[number];

/** What the settings go on with after a new sign-in, as the address bar holds it. */
export const readSettingsSearch = (search: Search): { continue?: SensitiveAction } => ({
  continue: readChoice(search.continue, SENSITIVE_ACTIONS),
});
