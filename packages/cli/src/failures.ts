/** What the program ends with; the README lists them for users. */
export const EXIT = {
  ok: 0,
  error: 1,
  usage: 2,
  notSignedIn: 3,
  refused: 4,
  /** As shells report a program that Ctrl-C ended. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A failure that the program itself found, with a message for its user. */
export class Failure extends Error {
  readonly code: string;
  readonly exitCode: ExitCode;

  constructor(code: string, message: string, exitCode: ExitCode = EXIT.error) {
    super(message);
    this.code = code;
    this.exitCode = exitCode;
  }
}

export const usageFailure = (message: string): Failure => new Failure('usage', message, EXIT.usage);

export const notSignedIn = (message: string): Failure =>
  new Failure('not_signed_in', message, EXIT.notSignedIn);

export const refused = (message: string): Failure => new Failure('refused', message, EXIT.refused);

export const interrupted = (message: string): Failure =>
  new Failure('interrupted', message, EXIT.interrupted);

/** @throws what the task does, or where Ctrl-C ended it, an `interrupted` failure with this message */
export const unlessInterrupted = async <T>(
  signal: AbortSignal,
  message: string,
  task: () => Promise<T>,
): Promise<T> => {
  try {
    return await task();
  } catch (error) {
    throw signal.aborted ? interrupted(message) : error;
  }
};
