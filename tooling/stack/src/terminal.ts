const CLEAR_LINE = '\r\u001b[2K';
const COLOURS = { green: 32, red: 31, yellow: 33, bold: 1, dim: 2 } as const;

/**
 * Writes for people. On a screen, what goes on is shown in the last line; elsewhere only what is done.
 *
 * @param options.write - takes text for standard output
 */
export const createTerminal = (options: {
  write: (text: string) => void;
  isScreen: boolean;
  hasColour: boolean;
  nowMs?: () => number;
}) => {
  const { write, isScreen, hasColour, nowMs = Date.now } = options;
  const pending = new Set<string>();

  const paint = (colour: keyof typeof COLOURS, text: string): string =>
    isScreen && hasColour ? `\u001b[${COLOURS[colour]}m${text}\u001b[0m` : text;

  const line = (text = ''): void => {
    write(isScreen ? `${CLEAR_LINE}${text}\n` : `${text}\n`);
    showPending();
  };

  const showPending = (): void => {
    if (isScreen && pending.size > 0) write(`${CLEAR_LINE}${paint('dim', `… ${[...pending].join(', ')}`)}`);
  };

  return {
    line,
    /** Shows that a piece of work is in progress; on a screen, its name is in the last line meanwhile. */
    begin(title: string) {
      const startedMs = nowMs();
      pending.add(title);
      showPending();
      return {
        done(note?: string): void {
          pending.delete(title);
          const seconds = ((nowMs() - startedMs) / 1_000).toFixed(1);
          const tick = paint('green', '✓');
          line(`${tick} ${title.padEnd(16)} ${paint('dim', `${seconds} s`)}${note ? `  ${note}` : ''}`);
        },
      };
    },
    warn: (text: string): void => line(`${paint('yellow', '!')} ${text}`),
    fail(text: string): void {
      pending.clear();
      line(`${paint('red', '✗')} ${text}`);
    },
    heading: (text: string): void => line(paint('bold', text)),
    /** Names and values below each other. */
    table(rows: readonly (readonly [name: string, value: string])[]): void {
      const width = Math.max(...rows.map(([name]) => name.length));
      for (const [name, value] of rows) line(`  ${paint('bold', name.padEnd(width))}   ${value}`);
    },
  };
};
export type Terminal = ReturnType<typeof createTerminal>;
