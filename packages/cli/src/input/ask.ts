import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { interrupted } from '../failures.ts';
import type { Terminal } from '../terminal.ts';

/** More than any answer has. Unit: characters. */
const LONGEST_INPUT = 10_000;

const toNowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

/** @returns the line that was typed; empty at the end of the input */
const readLine = ({ stdin, stderr }: Terminal, question: string, isHidden: boolean): Promise<string> =>
  new Promise((resolve, reject) => {
    const output = isHidden ? toNowhere() : stderr;
    const reader = createInterface({ input: stdin, output, terminal: true, historySize: 0 });
    if (isHidden) stderr.write(question);
    const end = (respond: () => void): void => {
      respond();
      reader.close();
      if (isHidden) stderr.write('\n');
    };
    reader.once('line', (line) => end(() => resolve(line)));
    reader.once('close', () => resolve(''));
    reader.once('SIGINT', () => end(() => reject(interrupted('Nothing was changed.'))));
    reader.setPrompt(isHidden ? '' : question);
    reader.prompt();
  });

const readAll = async ({ stdin }: Terminal): Promise<string> => {
  let text = '';
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.length > LONGEST_INPUT) break;
  }
  return text;
};

/** @returns what was typed, which the terminal does not show, or all of what is piped in, trimmed */
export const askSecret = async (terminal: Terminal, question: string): Promise<string> =>
  (terminal.stdin.isTTY ? await readLine(terminal, question, true) : await readAll(terminal)).trim();

/** Whether the user agrees: anything but `y` or `yes` is a no. */
export const confirm = async (terminal: Terminal, question: string): Promise<boolean> =>
  /^y(es)?$/i.test((await readLine(terminal, `${question} [y/N] `, false)).trim());

/** The letter of the answer that the user gives; Enter alone is the default. Asks again where it is none of them. */
export const choose = async <K extends string>(
  terminal: Terminal,
  question: string,
  { letters, byDefault }: { letters: readonly K[]; byDefault: K },
): Promise<K> => {
  for (let asked = question; ; asked = `Type ${letters.join(', ')}:`) {
    const typed = (await readLine(terminal, `${asked} `, false)).trim().toLowerCase();
    // The end of the input, too, or it would be asked for ever.
    if (typed === '') return byDefault;
    const letter = letters.find((one) => one === typed[0]);
    if (letter !== undefined) return letter;
  }
};
