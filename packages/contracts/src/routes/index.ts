import { ACCOUNT_SECTION } from './account.ts';
import { AUTHORIZATIONS_SECTION } from './authorizations.ts';
import { CLEANUPS_SECTION } from './cleanups.ts';
import { HEALTH_SECTION } from './health.ts';
import { HISTORY_SECTION } from './history.ts';
import { LEARNING_SECTION } from './learning.ts';
import { MAILBOX_SECTION } from './mailbox.ts';
import { PROTECTIONS_SECTION } from './protections.ts';
import { PROVIDERS_SECTION } from './providers.ts';
import { PUSH_SECTION } from './push.ts';
import type { Section } from './route-contract.ts';
import { RULES_SECTION } from './rules.ts';
import { SCANS_SECTION } from './scans.ts';
import { SENDERS_SECTION } from './senders.ts';
import { SUGGESTIONS_SECTION } from './suggestions.ts';
import { TOKENS_SECTION } from './tokens.ts';

export {
  type Deprecation,
  NoContentSchema,
  type RouteAccess,
  type RouteContract,
} from './route-contract.ts';

/** The API reference in reading order; the sign-in routes come before it. */
export const API_SECTIONS: Section[] = [
  MAILBOX_SECTION,
  SUGGESTIONS_SECTION,
  SCANS_SECTION,
  SENDERS_SECTION,
  PROTECTIONS_SECTION,
  LEARNING_SECTION,
  CLEANUPS_SECTION,
  RULES_SECTION,
  HISTORY_SECTION,
  PUSH_SECTION,
  ACCOUNT_SECTION,
  TOKENS_SECTION,
  AUTHORIZATIONS_SECTION,
  PROVIDERS_SECTION,
  HEALTH_SECTION,
];

/** Every route of the API, version 1. */
export const API_ROUTES = {
  ...MAILBOX_SECTION.routes,
  ...SUGGESTIONS_SECTION.routes,
  ...SCANS_SECTION.routes,
  ...SENDERS_SECTION.routes,
  ...PROTECTIONS_SECTION.routes,
  ...LEARNING_SECTION.routes,
  ...CLEANUPS_SECTION.routes,
  ...RULES_SECTION.routes,
  ...HISTORY_SECTION.routes,
  ...PUSH_SECTION.routes,
  ...ACCOUNT_SECTION.routes,
  ...TOKENS_SECTION.routes,
  ...AUTHORIZATIONS_SECTION.routes,
  ...PROVIDERS_SECTION.routes,
  ...HEALTH_SECTION.routes,
};
