import { ACCOUNT_ROUTES } from './account.ts';
import { CLEANUPS_ROUTES } from './cleanups.ts';
import { HEALTH_ROUTES } from './health.ts';
import { HISTORY_ROUTES } from './history.ts';
import { LEARNING_ROUTES } from './learning.ts';
import { MAILBOX_ROUTES } from './mailbox.ts';
import { PROTECTIONS_ROUTES } from './protections.ts';
import { PUSH_ROUTES } from './push.ts';
import { RULES_ROUTES } from './rules.ts';
import { SCANS_ROUTES } from './scans.ts';
import { SENDERS_ROUTES } from './senders.ts';
import { SUGGESTIONS_ROUTES } from './suggestions.ts';

export { NoContentSchema, type RouteContract } from './route-contract.ts';

/** Every route of the API, version 1. */
export const API_ROUTES = {
  ...MAILBOX_ROUTES,
  ...SUGGESTIONS_ROUTES,
  ...SCANS_ROUTES,
  ...SENDERS_ROUTES,
  ...PROTECTIONS_ROUTES,
  ...LEARNING_ROUTES,
  ...CLEANUPS_ROUTES,
  ...RULES_ROUTES,
  ...HISTORY_ROUTES,
  ...PUSH_ROUTES,
  ...ACCOUNT_ROUTES,
  ...HEALTH_ROUTES,
};
