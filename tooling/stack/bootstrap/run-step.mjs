import { spawn } from 'node:child_process';

const SHOWN_LINES = 25;
const TICK_MS = 1_000;
const CLEAR_LINE = '\r\u001b[2K';
/** What npm and pnpm say when there is no way to the registry. */
const OFFLINE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|ETIMEDOUT|ERR_PNPM_META_FETCH_FAIL/;

/** A step failed; the message is all that the reader needs. */
export class StepError extends Error {}

const describe = (title, output) => {
  const shown = output.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
  const reason = OFFLINE.test(output)
    ? 'there is no connection to the package registry. Behind a proxy, npm has to know it (docs/OPERATIONS.md).'
    : 'see above.';
  return `${shown}\n\n${title} failed: ${reason}`;
};

/** Says on standard error that a step goes on: what the command itself says may be read by a program. */
const showProgress = (title) => {
  const startedMs = Date.now();
  const { stderr } = process;
  if (!stderr.isTTY) {
    stderr.write(`${title}…\n`);
    return () => undefined;
  }
  const show = () => stderr.write(`${CLEAR_LINE}${title}… ${Math.round((Date.now() - startedMs) / 1_000)} s`);
  show();
  const timer = setInterval(show, TICK_MS);
  return () => {
    clearInterval(timer);
    stderr.write(CLEAR_LINE);
  };
};

/**
 * Runs a command quietly: its output is shown only when it fails.
 *
 * @throws {StepError} when it fails
 */
export const runStep = async ({ title, command, words, cwd, env }) => {
  const endProgress = showProgress(title);
  let output = '';
  const child = spawn(command, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const fault = await new Promise((resolve) => {
    child.on('error', (error) => resolve(`${command} could not be started: ${error.message}`));
    child.on('close', (code) => resolve(code === 0 ? null : describe(title, output)));
  });
  endProgress();
  if (fault !== null) throw new StepError(fault);
};
