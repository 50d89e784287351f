import { createInterface } from 'node:readline/promises';
import { toProfileRequest } from '@mailsweep/mail/gmail/api';
import { createOidcProvider, OidcError } from '@mailsweep/mail/provider-connection';
import { ConfigError } from '@mailsweep/service-kit';
import { HttpExchangeError } from '@mailsweep/service-kit/http-client';
import { watchStopSignals } from '@mailsweep/stack/stop-signals';
import { createVitest, type Vitest } from 'vitest/node';
import { REPOSITORY, readCommand } from './config.ts';
import {
  describeResponse,
  GmailCallError,
  isSuccess,
  openGmail,
  READ_UNITS,
} from './testing/gmail-client.ts';
import type {} from './testing/live-test.ts';
import { type Answers, QUESTIONS } from './testing/questions.ts';
import { LiveCheckError, signIn } from './testing/sign-in.ts';
import { cleanUp, describeCleanUp, fillWorkspace } from './testing/workspace.ts';

/** Three quarters of what Gmail allows: the product may use the mailbox at the same time. */
const UNITS_PER_MINUTE = 4_500;
const INSERT_UNITS = 25;
const HISTORY_READS_MS = [0, 500, 1_000, 2_000, 5_000];
const NOT_CLEANED = 'Not cleaned up: run npm run live-check -- --clean.';
/** Errors whose message needs no stack trace. */
const PLAIN_FAULTS = [LiveCheckError, ConfigError, OidcError, GmailCallError, HttpExchangeError];

const tell = (line: string): void => void process.stdout.write(`${line}\n`);

/** Asks for a line on the terminal; undefined when the run ends meanwhile. */
const askLine = async (question: string, signal: AbortSignal): Promise<string | undefined> => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // Ctrl-C reaches the terminal's reader instead of the process.
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return (await terminal.question(question, { signal })).trim().toLowerCase();
  } catch {
    return undefined;
  } finally {
    terminal.close();
  }
};

const askQuestions = async (signal: AbortSignal): Promise<Answers> => {
  const answers: Answers = {};
  for (const key of Object.keys(QUESTIONS) as (keyof Answers)[]) {
    const answer = await askLine(`${QUESTIONS[key]} [y/n, Enter if you don’t know] `, signal);
    if (answer === 'y' || answer === 'n') answers[key] = answer === 'y';
  }
  return answers;
};

const announce = (messages: number): void => {
  // Insertions, a cold page, and all else, which hardly depends on their number.
  const units = messages * INSERT_UNITS + Math.min(messages, 100) * READ_UNITS + 3_000;
  tell(`Inserts ${messages} messages of its own into your Gmail, under the label "Mailsweep live check",`);
  tell('changes them, and moves them to the trash at the end. No other message is read or changed.');
  tell(
    `It uses about ${units.toLocaleString('en')} quota units and takes at least ${Math.ceil(units / UNITS_PER_MINUTE)} minutes.`,
  );
  tell('Ctrl-C ends it and cleans up.');
};

/** Signs the user in, runs the tests of Gmail on their mailbox, and removes what the tests created. */
const run = async (
  command: ReturnType<typeof readCommand>,
  { vitest, signal }: { vitest: Vitest; signal: AbortSignal },
): Promise<void> => {
  const { messages, isUnattended, isCleanOnly, gmailUrl, redirectUri } = command;
  if (isCleanOnly) tell('Removes what earlier live checks left: their messages, draft and labels.');
  else announce(messages);
  if (!isUnattended && (await askLine('Go on? [y/N] ', signal)) !== 'y') throw new LiveCheckError('Ended.');
  if (!isUnattended && !isCleanOnly) {
    tell('To have that checked too, leave the box for Gmail empty the first time; you will be asked again.');
  }
  const { accessToken, facts } = await signIn({
    oidcProvider: createOidcProvider(command),
    redirectUri,
    signal,
    show: (url) => tell(`Open this address in a browser, and sign in:\n\n${url.href}\n`),
    tellUnticked: () => tell('The box for Gmail was not ticked. Now sign in again and tick it.'),
  });
  const access = { gmailUrl, accessToken, unitsPerMinute: UNITS_PER_MINUTE };
  const { createClient, refusals, used } = openGmail(access);
  const gmail = createClient(signal);
  // Not ended by the signal.
  const cleaner = createClient();
  const profile = await gmail.call(toProfileRequest());
  if (!isSuccess(profile)) throw new LiveCheckError(`Gmail takes no calls: ${describeResponse(profile)}`);
  const earlier = await cleanUp(cleaner, new Set());
  if (isCleanOnly) return tell(describeCleanUp(earlier));
  const ownIds = new Set<string>();
  try {
    const workspace = await fillWorkspace(gmail, {
      messages,
      onInserted: (id, done) => {
        ownIds.add(id);
        if (done % 100 === 0) tell(`  ${done} inserted`);
      },
    });
    const answers = isUnattended ? {} : await askQuestions(signal);
    signal.throwIfAborted();
    vitest.provide('gmailAccount', {
      ...access,
      spentUnits: used.units,
      signIn: facts,
      answers,
      workspace,
      refusals,
      historyReadsMs: HISTORY_READS_MS,
    });
    await vitest.start();
    signal.throwIfAborted();
  } finally {
    tell('Cleaning up');
    const cleaned = await cleanUp(cleaner, ownIds).catch((error) => {
      throw new LiveCheckError(`${NOT_CLEANED} ${describe(error)}`);
    });
    tell(describeCleanUp(cleaned));
  }
};

const describe = (error: unknown): string => {
  if (error instanceof DOMException) return 'Ended.';
  if (!(error instanceof Error)) return String(error);
  return PLAIN_FAULTS.some((known) => error instanceof known)
    ? error.message
    : (error.stack ?? error.message);
};

try {
  const command = readCommand(process.argv.slice(2));
  const vitest = await createVitest({
    root: REPOSITORY,
    project: ['gmail'],
    watch: false,
    reporters: ['verbose'],
  });
  // Vitest would end the process at once, before anything is cleaned up.
  for (const name of ['SIGINT', 'SIGTERM']) process.removeAllListeners(name);
  const signals = watchStopSignals({ source: process, nowMs: Date.now });
  const ending = new AbortController();
  void signals.wished.then(() => {
    ending.abort();
    return vitest.cancelCurrentRun('keyboard-input');
  });
  void signals.insisted.then(() => {
    tell(NOT_CLEANED);
    process.exit(1);
  });
  await run(command, { vitest, signal: ending.signal });
} catch (error) {
  process.stderr.write(`${describe(error)}\n`);
  process.exitCode = 1;
}
process.exit();
