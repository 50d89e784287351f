import { relative } from 'node:path';
import { fullNameOf, LARGE_USER, SEEDED_USERS, type SeededUser } from '@mailsweep/google-sandbox';
import type { StackPlan } from './parts/stack-plan.ts';
import { REPOSITORY } from './repository.ts';
import type { Terminal } from './terminal.ts';

const NAME_WIDTH = 20;
const EMAIL_WIDTH = 24;

/** Prints what runs where, who to sign in as, and what to try next. */
export const welcome = (terminal: Terminal, plan: StackPlan): void => {
  const { addresses, config, folder } = plan;
  const { given } = config;
  terminal.line();
  terminal.heading('Mailsweep is running. Ctrl-C ends it all.');
  terminal.line();
  terminal.table([
    ['Web app', addresses.web ?? describeMissingWeb(plan)],
    ['API', `${addresses.api}/api/v1`],
    ['API docs', `${addresses.api}/docs`],
    ['Webhook inbox', addresses.webhookInbox ?? 'none: webhooks go to WORKFLOW_WEBHOOK_URL'],
    ['Google', given.google ? describeGivenGoogle(plan) : `sandbox, ${addresses.google}`],
    ...(given.jmapSessionUrl === undefined
      ? []
      : [['JMAP server', `${given.jmapSessionUrl}; sign in with a token of yours`] as [string, string]]),
    ['ML service', given.mlBaseUrl ? 'the one in ML_BASE_URL' : `${addresses.ml}/docs`],
    ['Database', given.databaseUrl ? 'the one in DATABASE_URL' : `embedded Postgres, ${addresses.database}`],
    ['Queue', addresses.redis ? 'Redis, the one in REDIS_URL' : 'in Postgres (set REDIS_URL for Redis)'],
    ['Command line', 'npx mailsweep login'],
    ['Logs', toShortPath(folder.logsDir)],
  ]);
  terminal.line();
  terminal.table([...signInRows(plan), ['Start over', 'npm start -- --reset']]);
  terminal.line();
};

const describeMissingWeb = ({ config }: StackPlan): string => {
  const { frontendOrigin } = config.given;
  return frontendOrigin === undefined ? 'none yet (apps/web is not built)' : `yours, ${frontendOrigin}`;
};

const describeGivenGoogle = ({ addresses, redirectUri }: StackPlan): string =>
  `${addresses.google ?? 'real'}; register the redirect address ${redirectUri}`;

const signInRows = ({ addresses, config }: StackPlan): [string, string][] => {
  const door = addresses.web ?? config.given.frontendOrigin ?? `${addresses.api}/auth/idp`;
  if (config.given.google !== undefined) return [['Sign in', `at ${door}, with your own account`]];
  return [
    ...[...SEEDED_USERS, LARGE_USER].map(describeUser),
    ['Try next', `sign in at ${door}, ask for suggestions, accept some,`],
    ['', 'and see the event arrive in the webhook inbox'],
    ['The mailbox', 'is seeded once; your changes stay over restarts'],
  ];
};

const describeUser = (
  { user, description }: Pick<SeededUser, 'user' | 'description'>,
  index: number,
): [string, string] => {
  const name = fullNameOf(user).padEnd(NAME_WIDTH);
  return [index === 0 ? 'Sign in as' : '', `${name}${user.email.padEnd(EMAIL_WIDTH)}${description}`];
};

const toShortPath = (path: string): string => {
  const fromHere = relative(REPOSITORY, path);
  return fromHere.startsWith('..') ? path : fromHere;
};
