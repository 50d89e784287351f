import { OtherMigrationsError } from '@mailsweep/database/migrate';
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
import { PortTakenError } from './ports.ts';
import { readStackConfig } from './stack-config.ts';
import { watchStopSignals } from './supervision/stop-signals.ts';
import { PartFailure } from './supervision/supervisor.ts';
import { createTerminal, type Terminal } from './terminal.ts';
import { welcome } from './welcome.ts';

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

/** Runs the stack until it is asked to end, or can't go on; resolves with the exit code. */
const run = async (signals: ReturnType<typeof watchStopSignals>): Promise<number> => {
  const config = readStackConfig({ arguments: process.argv.slice(2) });
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
  const stack = await createStack({ config, folder, terminal });
  // Whatever ends this process, its children end with it.
  process.once('exit', stack.kill);
  void signals.insisted.then(() => process.exit(1));

  const failure = await Promise.race([runUntilFailure(stack, terminal), lost.promise, signals.wished]);
  if (failure === undefined) terminal.line('Stopping…');
  else report(terminal, stack, failure);
  await stack.stop();
  return failure === undefined ? 0 : 1;
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
