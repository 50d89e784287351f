/** A stream that may be a terminal. */
type MaybeTerminal<T> = T & { isTTY?: boolean; columns?: number };

/** What the program talks to: the process it runs in, or a test. */
export interface Terminal {
  stdin: MaybeTerminal<NodeJS.ReadableStream>;
  stdout: MaybeTerminal<NodeJS.WritableStream>;
  stderr: MaybeTerminal<NodeJS.WritableStream>;
  env: Readonly<Record<string, string | undefined>>;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** Opens an address in the user's browser; rejects where there is none. */
  openBrowser(url: string): Promise<unknown>;
  /** Between two looks at work that goes on: a second by default. Unit: milliseconds. */
  intervalMs?: number;
}
