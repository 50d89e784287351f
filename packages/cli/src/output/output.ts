import { styleText } from 'node:util';
import type { Terminal } from '../terminal.ts';
import { clean, toJson } from './text.ts';

type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow';

/** A text, or one with a style, which a terminal alone gets. */
export type Part = string | { text: string; style: Style };

/** Where results (stdout), and messages and progress (stderr), go. All text is cleaned here, whatever it comes from. */
export interface Output {
  /** Results are JSON, for programs. */
  isJson: boolean;
  line(...parts: Part[]): void;
  /** Rows in columns, each as wide as its longest cell, or as a terminal has room for. */
  table(head: readonly string[], rows: readonly (readonly string[])[]): void;
  document(value: unknown): void;
  event(value: unknown): void;
  note(...parts: Part[]): void;
  problem(value: unknown): void;
  /** Replaces the last progress; on a terminal alone. */
  progress(text: string): void;
  endProgress(): void;
}

const ERASE_LINE = '\r\u001b[2K';

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const LEAST_WIDTH = 6;
const GAP = 2;

/** Makes the widest columns narrower until the row fits; ids stay whole, as other commands take them. */
const fit = (widths: number[], room: number, isFixed: (column: number) => boolean): void => {
  const total = () => widths.reduce((sum, width) => sum + width + GAP, -GAP);
  for (;;) {
    const widest = widths
      .map((width, column) => ({ width, column }))
      .filter(({ width, column }) => width > LEAST_WIDTH && !isFixed(column))
      .toSorted((one, other) => other.width - one.width)[0];
    if (widest === undefined || total() <= room) return;
    widths[widest.column] = widest.width - 1;
  }
};

const layOut = (rows: readonly (readonly string[])[], room = Number.POSITIVE_INFINITY): string[] => {
  const cells = rows.map((row) => row.map(clean));
  const widths = cells.reduce<number[]>(
    (widest, row) => row.map((cell, index) => Math.max(widest[index] ?? 0, cell.length)),
    [],
  );
  fit(widths, room, (column) => cells.some((row) => ID.test(row[column] ?? '')));
  const cut = (cell: string, width = 0) => (cell.length > width ? `${cell.slice(0, width - 1)}…` : cell);
  return cells.map((row) =>
    row
      .map((cell, index) => cut(cell, widths[index]).padEnd(widths[index] ?? 0))
      .join(' '.repeat(GAP))
      .trimEnd(),
  );
};

export const createOutput = (terminal: Terminal, isJson: boolean): Output => {
  const { stdout, stderr, env } = terminal;
  const canStyle = (stream: { isTTY?: boolean }): boolean =>
    stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  const render = (stream: { isTTY?: boolean }, parts: readonly Part[]): string =>
    parts
      .map((part) => {
        if (typeof part === 'string') return clean(part);
        const text = clean(part.text);
        return canStyle(stream) ? styleText(part.style, text, { validateStream: false }) : text;
      })
      .join('');
  const hasProgress = stderr.isTTY === true && env.TERM !== 'dumb' && !isJson;
  let isProgressShown = false;
  const endProgress = (): void => {
    if (isProgressShown) stderr.write(ERASE_LINE);
    isProgressShown = false;
  };
  const line = (...parts: Part[]): void => {
    endProgress();
    stdout.write(`${render(stdout, parts)}\n`);
  };
  return {
    isJson,
    line,
    table(head, rows) {
      const [first = '', ...rest] = layOut([head, ...rows], stdout.isTTY ? stdout.columns : undefined);
      line({ text: first, style: 'bold' });
      for (const row of rest) line(row);
    },
    document(value) {
      stdout.write(`${toJson(value, 2)}\n`);
    },
    event(value) {
      stdout.write(`${toJson(value)}\n`);
    },
    note(...parts) {
      endProgress();
      stderr.write(`${render(stderr, parts)}\n`);
    },
    problem(value) {
      stderr.write(`${toJson(value)}\n`);
    },
    progress(text) {
      if (!hasProgress) return;
      stderr.write(`${ERASE_LINE}${clean(text)}`);
      isProgressShown = true;
    },
    endProgress,
  };
};
