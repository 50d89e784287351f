import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { createOidcProvider, OidcError } from '@mailsweep/mail/provider-connection';
import { ConfigError } from '@mailsweep/service-kit';
import { watchStopSignals } from '../supervision/stop-signals.ts';
import { readCommand } from './config.ts';
import { cleanUpOnly, describeCleanUp, estimateUnits, runLiveCheck, toMarkdown } from './run-live-check.ts';
import { LiveCheckError, signIn } from './sign-in.ts';

/** Three quarters of what Gmail allows: the product may use the mailbox at the same time. */
const UNITS_PER_MINUTE = 4_500;
const HISTORY_READS_MS = [0, 500, 1_000, 2_000, 5_000];
/** Errors whose message needs no stack trace. */
const PLAIN_FAULTS = [LiveCheckError, ConfigError, OidcError];

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

const run = async (signal: AbortSignal): Promise<number> => {
  const day = new Date().toISOString().slice(0, 10);
  const command = readCommand(process.argv.slice(2), day);
  const { messages, isUnattended, isCleanOnly, gmailUrl, redirectUri } = command;
  const units = estimateUnits(messages);
  const minutes = Math.ceil(units / UNITS_PER_MINUTE);
  if (isCleanOnly) tell('Removes what earlier live checks left: their messages, draft and labels.');
  else {
    tell(`Inserts ${messages} messages of its own into your Gmail, under the label "Mailsweep live check",`);
    tell('changes them, and moves them to the trash at the end. No other message is read or changed.');
    tell(`It uses about ${units.toLocaleString('en')} quota units and takes at least ${minutes} minutes.`);
    tell('Ctrl-C ends it and cleans up.');
  }
  if (!isUnattended && (await askLine('Go on? [y/N] ', signal)) !== 'y') return 1;

  if (!isUnattended && !isCleanOnly) {
    tell('To have that checked too, leave the box for Gmail empty the first time; you will be asked again.');
  }
  const oidcProvider = createOidcProvider(command);
  const { accessToken, findings } = await signIn({
    oidcProvider,
    redirectUri,
    signal,
    show: (url) => tell(`Open this address in a browser, and sign in:\n\n${url.href}\n`),
    tellUnticked: () => tell('The box for Gmail was not ticked. Now sign in again and tick it.'),
  });
  if (isCleanOnly) {
    tell(describeCleanUp(await cleanUpOnly({ gmailUrl, accessToken, unitsPerMinute: UNITS_PER_MINUTE })));
    return 0;
  }
  const report = await runLiveCheck({
    gmailUrl,
    accessToken,
    findings,
    messages,
    unitsPerMinute: UNITS_PER_MINUTE,
    historyReadsMs: HISTORY_READS_MS,
    signal,
    tell,
    ask: async (question) => {
      if (isUnattended) return undefined;
      const answer = await askLine(`${question} [y/n, Enter if you don’t know] `, signal);
      return answer === 'y' ? true : answer === 'n' ? false : undefined;
    },
  });
  const file = resolve(command.reportFile);
  writeFileSync(file, toMarkdown(report));
  tell(`The report is in ${file}.`);
  if (report.cleanUp === undefined) tell('Cleaning up failed: run npm run live-check -- --clean.');
  return report.interrupted === undefined && report.cleanUp !== undefined ? 0 : 1;
};

const describe = (error: unknown): string => {
  if (error instanceof DOMException) return 'Ended.';
  if (!(error instanceof Error)) return String(error);
  return PLAIN_FAULTS.some((known) => error instanceof known)
    ? error.message
    : (error.stack ?? error.message);
};

const signals = watchStopSignals({ source: process, nowMs: Date.now });
const ending = new AbortController();
void signals.wished.then(() => ending.abort());
void signals.insisted.then(() => {
  tell('Not cleaned up: run npm run live-check -- --clean.');
  process.exit(1);
});

try {
  process.exitCode = await run(ending.signal);
} catch (error) {
  process.stderr.write(`${describe(error)}\n`);
  process.exitCode = 1;
}
process.exit();
