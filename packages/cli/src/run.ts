import { Command, CommanderError } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { addApi } from './commands/api.ts';
import { addCleanup } from './commands/cleanup/cleanup.ts';
import { addCompletion } from './commands/completion.ts';
import { addDoctor } from './commands/doctor.ts';
import { addHome, addWatch } from './commands/home.ts';
import { addHistory, addSenders, addSuggestions } from './commands/lists.ts';
import { addMcp } from './commands/mcp.ts';
import { addMl } from './commands/ml.ts';
import { addReview } from './commands/review.ts';
import { addRules } from './commands/rules.ts';
import { addScan } from './commands/scan.ts';
import { addSignIn } from './commands/sign-in.ts';
import { addUndo } from './commands/undo.ts';
import { addUnsubscribe } from './commands/unsubscribe.ts';
import { type Context, DEFAULT_API } from './context.ts';
import { EXIT, type ExitCode, Failure, interrupted, usageFailure } from './failures.ts';
import { collect } from './input/parse.ts';
import { createOutput } from './output/output.ts';
import { reportError } from './report.ts';
import type { Terminal } from './terminal.ts';

const NOTES = `
Environment:
  MAILSWEEP_TOKEN  a personal access token, in place of signing in
  MAILSWEEP_API    the address of the API, in place of --api
  NO_COLOR         no colours

Exit codes:
  0 done   1 error   2 wrong usage   3 not signed in   4 you did not agree   130 Ctrl-C`;

/** Refuses an option that is given twice: the first value would be lost. */
const refuseRepeats = (command: Command): void => {
  for (const option of command.options) {
    if (!option.required || option.parseArg === collect) continue;
    let isGiven = false;
    command.on(`option:${option.name()}`, () => {
      if (isGiven) throw usageFailure(`${option.long} can be given once.`);
      isGiven = true;
    });
  }
  command.commands.forEach(refuseRepeats);
};

const createProgram = (terminal: Terminal, context: (program: Command) => Context): Command => {
  const program = new Command('mailsweep')
    .description('Scan your mailbox, see what is suggested, clean up, and undo.')
    .version(manifest.version)
    .option('--api <url>', `the address of the API (the one you signed in to, or ${DEFAULT_API})`)
    .option('--mailbox <mailbox>', 'which of your mailboxes: its number, its address or its name')
    .option('--json', 'print results as JSON: one document, or one line for each event')
    .addHelpText('after', NOTES)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      // Errors are reported in one place.
      outputError: () => undefined,
    })
    .exitOverride();
  const add = [
    ...[addSignIn, addHome, addScan, addSuggestions, addReview, addSenders, addCleanup, addUnsubscribe],
    ...[addHistory, addUndo, addRules, addWatch, addMcp, addMl, addApi, addDoctor, addCompletion],
  ];
  for (const addCommand of add) addCommand(program, context(program));
  refuseRepeats(program);
  return program;
};

/** Help that was asked for, or shown in place of a command, has been printed by then. */
const isHelp = (error: unknown): error is CommanderError =>
  error instanceof CommanderError && /^commander\.(help|helpDisplayed|version)$/.test(error.code);

/**
 * Runs the program.
 *
 * @param args - without those of the runtime
 * @returns what the process ends with
 */
export const run = async (args: readonly string[], terminal: Terminal): Promise<ExitCode> => {
  const output = createOutput(terminal, args.includes('--json'));
  const program = createProgram(terminal, (root) => ({
    terminal,
    output,
    readApiOption: () => root.opts<{ api?: string }>().api,
    readMailboxOption: () => root.opts<{ mailbox?: string }>().mailbox,
  }));
  try {
    await program.parseAsync(args, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    if (isHelp(error)) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const isCut = terminal.signal.aborted && !(error instanceof Failure);
    return reportError(isCut ? interrupted('You ended it.') : error, output);
  } finally {
    output.endProgress();
  }
};
