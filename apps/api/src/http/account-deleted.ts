import { ProblemError } from '@mailsweep/service-kit';

/** The problem that a request meets whose user was erased after it had been authenticated. */
export const accountDeleted = (cause?: unknown): ProblemError =>
  new ProblemError(401, 'unauthorized', 'This account no longer exists.', { cause });
