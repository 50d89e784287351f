import { isProblem, UnexpectedResponseError, UnreachableError } from '@mailsweep/client';
import { CommanderError } from 'commander';
import { EXIT, type ExitCode, Failure } from './failures.ts';
import type { Output } from './output/output.ts';
import { toDuration } from './output/text.ts';

interface Report {
  code: string;
  title: string;
  detail: string;
  exitCode: ExitCode;
  status?: number;
  requestId?: string;
  errors?: { path: string; message: string }[];
  retryAfterSeconds?: number;
}

/** What a failure of the program itself is called. */
const TITLES: Record<ExitCode, string> = {
  [EXIT.ok]: 'Done',
  [EXIT.error]: 'Error',
  [EXIT.usage]: 'Wrong usage',
  [EXIT.notSignedIn]: 'Not signed in',
  [EXIT.refused]: 'Not done',
  [EXIT.interrupted]: 'Interrupted',
};

const failWith = (exitCode: ExitCode, code: string, detail: string): Report => ({
  code,
  title: TITLES[exitCode],
  detail,
  exitCode,
});

/** A token that was typed as an option by mistake is not repeated. */
const hideTokens = (text: string): string => text.replace(/msw_\w+/g, 'msw_…');

const describe = (error: unknown): Report => {
  if (error instanceof Failure) return failWith(error.exitCode, error.code, error.message);
  if (error instanceof CommanderError)
    return failWith(EXIT.usage, 'usage', hideTokens(error.message.replace(/^error: /, '')));
  if (isProblem(error)) {
    const { title, status, requestId, errors } = error.problem;
    return {
      code: error.code,
      title,
      detail: error.problem.detail,
      exitCode: error.code === 'unauthorized' ? EXIT.notSignedIn : EXIT.error,
      status,
      requestId,
      ...(errors && { errors }),
      ...(error.retryAfterSeconds !== undefined && { retryAfterSeconds: error.retryAfterSeconds }),
    };
  }
  if (error instanceof UnreachableError)
    return {
      code: error.code,
      title: 'The API could not be reached',
      detail: 'Check its address (--api) and the network, and try again.',
      exitCode: EXIT.error,
    };
  if (error instanceof UnexpectedResponseError)
    return {
      code: error.code,
      title: 'The response was not understood',
      detail: `Check whether the address (--api) is that of Mailsweep's API. The status of the response was ${error.status}.`,
      exitCode: EXIT.error,
      status: error.status,
    };
  return failWith(EXIT.error, 'failed', error instanceof Error ? error.message : String(error));
};

/** Says on stderr what went wrong, in plain words or as `{"error":{…}}`. @returns what to end with */
export const reportError = (error: unknown, output: Output): ExitCode => {
  const { exitCode, ...report } = describe(error);
  const { title, detail, errors = [], retryAfterSeconds } = report;
  if (output.isJson) {
    output.problem({ error: report });
    return exitCode;
  }
  output.note({ text: title, style: 'red' }, `: ${detail}`);
  for (const { path, message } of errors) output.note(`  ${path}: ${message}`);
  if (retryAfterSeconds) output.note(`Try again in ${toDuration(retryAfterSeconds)}.`);
  if (report.code === 'insufficient_scope')
    output.note(
      `Sign in with a wider scope: mailsweep login --scope ${/\bact\b/.test(detail) ? 'act' : 'admin'}`,
    );
  if (exitCode === EXIT.notSignedIn && report.status !== undefined)
    output.note('Sign in with: mailsweep login');
  return exitCode;
};
