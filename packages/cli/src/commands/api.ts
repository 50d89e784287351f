import { text } from 'node:stream/consumers';
import {
  newIdempotencyKey,
  ProblemError,
  UnexpectedResponseError,
  UnreachableError,
} from '@mailsweep/client';
import { Argument, type Command } from 'commander';
import { type Context, findCredentials } from '../context.ts';
import { usageFailure } from '../failures.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const toBody = async ({ terminal }: Context, given: string): Promise<string> => {
  const body = given === '-' ? await text(terminal.stdin) : given;
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    throw usageFailure('The body has to be JSON.');
  }
};

const callApi = async (context: Context, method: string, path: string, given?: string): Promise<void> => {
  if (!path.startsWith('/')) throw usageFailure('The path has to begin with /, as in /api/v1/me.');
  const body = given === undefined ? (method === 'GET' ? undefined : '{}') : await toBody(context, given);
  const { api, token } = await findCredentials(context);
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json', 'idempotency-key': newIdempotencyKey() }),
  };
  const url = api + (path.startsWith('/api/') ? path : `/api/v1${path}`);
  // The token goes to this API alone.
  const init = { method, headers, redirect: 'manual', signal: context.terminal.signal } as const;
  const response = await fetch(url, { ...init, ...(body !== undefined && { body }) }).catch(
    (error: unknown) => {
      throw new UnreachableError(error);
    },
  );
  if (response.status === 204) return;
  const result = await response.json().catch((error: unknown) => {
    throw new UnexpectedResponseError(response.status, error);
  });
  if (response.headers.get('content-type')?.startsWith('application/problem+json'))
    throw new ProblemError(result);
  if (!response.ok) throw new UnexpectedResponseError(response.status);
  context.output.document(result);
};

export const addApi = (program: Command, context: Context): void => {
  program
    .command('api')
    .description('call an operation of the API, and print its response')
    .addArgument(new Argument('<method>', METHODS.join(', ')).choices(METHODS))
    .argument('<path>', 'such as /api/v1/emails?unread=true')
    .option('--body <json>', 'what to send; - reads it from stdin')
    .action((method: string, path: string, { body }: { body?: string }) =>
      callApi(context, method, path, body),
    );
};
