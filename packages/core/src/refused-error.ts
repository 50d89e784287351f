import type { ProblemCode } from '@mailsweep/contracts';

/** The user's own state does not allow what was asked; nothing was done. Clients receive code and message. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly code: ProblemCode;
  /** Milliseconds after which it may be asked again; undefined where waiting does not help. */
  readonly retryAfterMs: number | undefined;

  constructor(code: ProblemCode, message: string, retryAfterMs?: number) {
    super(message);
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

/** A field of the request is not valid in view of what is stored; nothing was done. The message goes on from its name. */
export class InvalidFieldError extends Error {
  override readonly name = 'InvalidFieldError';
  /** Such as `condition.sender`. */
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}
