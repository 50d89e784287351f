import { relative } from 'node:path';
import { OtherMigrationsError } from '@mailsweep/database/migrate';
import { fullNameOf, LARGE_USER, SEEDED_USERS, type SeededUser } from '@mailsweep/google-sandbox';
import { ConfigError } from '@mailsweep/service-kit';
import { createStack, DatabaseUnreachableError, type Stack } from './create-stack.ts';
import {
  dataFolderAt,
  ForeignDataError,
  prepareDataFolder,
  resetDataFolder,
} from './data-folder/data-folder.ts';
import { SecretsFileError } from './data-folder/secrets.ts';
import { acquireStackLock, StackRunningError } from './data-folder/stack-lock.ts';
import type { StackPlan } from './parts/stack-plan.ts';
import { PortTakenError } from './ports.ts';
import { REPOSITORY } from './repository.ts';
import { openSetup } from './setup/open-setup.ts';
import { readStackConfig } from './stack-config.ts';
import { watchStopSignals } from './supervision/stop-signals.ts';
import { PartFailure } from './supervision/supervisor.ts';
import { createTerminal, type Terminal } from './terminal.ts';

const NAME_WIDTH = 20;
const EMAIL_WIDTH = 24;

/** Prints what runs where, who to sign in as, and what to try next. */
const welcome = (terminal: Terminal, plan: StackPlan): void => {
  const { addresses, config, folder } = plan;
  const { given } = config;
  terminal.line();
  terminal.heading('Mailsweep is running. Ctrl-C ends it all.');
  terminal.line();
  terminal.table([
    ['Web app', addresses.web ?? describeMissingWeb(plan)],
    ['API', addresses.api],
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
    ...(addresses.setup ? [['Your own mailbox', addresses.setup] as [string, string]] : []),
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

/** Errors whose message needs no stack trace. */
const PLAIN_FAULTS = [
  ConfigError,
  DatabaseUnreachableError,
  ForeignDataError,
  OtherMigrationsError,
  PartFailure,
  PortTakenError,
  SecretsFileError,
  StackRunningError,
];

const DOCTOR_HINT = 'To find out what is wrong with the set-up: npm run doctor';

/** Runs the stack until it is asked to end, or can't go on; again with what the set-up saved. Resolves with the exit code. */
const run = async (signals: ReturnType<typeof watchStopSignals>): Promise<number> => {
  const words = process.argv.slice(2);
  let config = readStackConfig({ arguments: words });
  const terminal = createTerminal({
    write: (text) => void process.stdout.write(text),
    isScreen: process.stdout.isTTY,
    hasColour: config.hasColour,
  });
  const folder = dataFolderAt(config.dataDir);
  prepareDataFolder(folder);
  const lost = Promise.withResolvers<Error>();
  await acquireStackLock({ folder, onLost: lost.resolve });
  if (config.isReset) {
    resetDataFolder(folder);
    prepareDataFolder(folder);
  }
  const setup = config.offersSetup
    ? await openSetup({ envFile: config.envFile, stackFile: folder.stackFile })
    : undefined;
  void signals.insisted.then(() => process.exit(1));

  for (;;) {
    const stack = await createStack({ config, folder, terminal, setupUrl: setup?.url });
    // Whatever ends this process, its children end with it.
    process.once('exit', stack.kill);
    const end = await Promise.race([
      runUntilFailure(stack, terminal),
      lost.promise,
      signals.wished,
      ...(setup ? [setup.follow(stack.plan)] : []),
    ]);
    if (end instanceof Error) report(terminal, stack, end);
    else terminal.line(end === 'saved' ? 'Starting again with what you set up…' : 'Stopping…');
    await stack.stop();
    if (end !== 'saved') return end instanceof Error ? 1 : 0;
    config = readStackConfig({ arguments: words });
  }
};

/** Starts the stack and resolves with the error that ends it; never while all is well. */
const runUntilFailure = async (stack: Stack, terminal: Terminal): Promise<Error> => {
  try {
    await stack.start();
    welcome(terminal, stack.plan);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
  return await stack.failure;
};

const report = (terminal: Terminal, stack: Stack, failure: Error): void => {
  terminal.fail(describe(failure));
  if (failure instanceof PartFailure)
    for (const line of stack.tailOf(failure.part)) terminal.line(`    ${line}`);
  terminal.line(DOCTOR_HINT);
};

const describe = (error: unknown): string => {
  if (PLAIN_FAULTS.some((known) => error instanceof known))
    return error instanceof Error ? error.message : '';
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};

// A terminal that was closed, or a pipe without a reader, is no reason to fail.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

try {
  process.exitCode = await run(watchStopSignals({ source: process, nowMs: Date.now }));
} catch (error) {
  process.stderr.write(`${describe(error)}\n${DOCTOR_HINT}\n`);
  process.exitCode = 1;
}
process.exit();
