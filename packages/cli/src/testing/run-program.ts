import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { run } from '../run.ts';

interface Surroundings {
  /** What is typed or piped in. */
  input?: string;
  isTerminal?: boolean;
  columns?: number;
  env?: Record<string, string>;
  signal?: AbortSignal;
  /** Without one, no browser can be opened. */
  openBrowser?: (url: string) => Promise<unknown>;
  /** Called with all of stderr whenever there is more, and with what types at the terminal. */
  onMessage?: (text: string, type: (input: string) => void) => void;
}

const capture = (isTTY: boolean, onText: (text: string) => void = () => undefined) => {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      onText(text);
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY }), read: () => text };
};

/** A folder for settings that ends with the test. */
export const makeConfigFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'mailsweep-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** Runs the program with these arguments, and returns what it leaves behind. */
export const runProgram = async (args: string[], surroundings: Surroundings = {}) => {
  const { input = '', isTerminal = false, columns, env = {}, onMessage } = surroundings;
  const { signal = new AbortController().signal } = surroundings;
  const stdin = Object.assign(new PassThrough(), { isTTY: isTerminal });
  // A terminal stays open after a line.
  if (isTerminal) stdin.write(input);
  else stdin.end(input);
  const stdout = capture(isTerminal);
  const stderr = capture(isTerminal, (text) => onMessage?.(text, (typed) => void stdin.write(typed)));
  const exitCode = await run(args, {
    stdin,
    stdout: Object.assign(stdout.stream, columns && { columns }),
    stderr: stderr.stream,
    env: { XDG_CONFIG_HOME: '/nonexistent', ...env },
    openBrowser: surroundings.openBrowser ?? (() => Promise.reject(new Error('no browser'))),
    signal,
    intervalMs: 5,
  });
  return { exitCode, stdout: stdout.read(), stderr: stderr.read() };
};
