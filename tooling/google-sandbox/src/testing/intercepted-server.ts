import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenOnLoopback } from '@mailsweep/service-kit';
import { handleBatch } from '../gmail/batch.ts';
import { googleError } from '../protocol/google-errors.ts';
import type { Incoming, Outcome } from '../response.ts';

/** A call as a client sent it. */
export interface RecordedRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** Parsed where it is JSON; undefined where there is none. */
  body: unknown;
  /** Whether the call came within a batch. */
  isInBatch: boolean;
}

export type TestResponse =
  | { status?: number; headers?: Record<string, string>; body?: unknown }
  /** Never responds. */
  | 'hang'
  /** Sends the head and a part of the body, then nothing. */
  | 'hang_after_head'
  /** Breaks the connection. */
  | 'reset'
  /** Sends the head and a part of the body, then breaks the connection. */
  | 'reset_after_head';

/** Responds to a call in place of the sandbox, unless it gives undefined. */
export type Interceptor = (
  request: RecordedRequest,
) => TestResponse | undefined | Promise<TestResponse | undefined>;

const BATCH_PATH = '/batch/gmail/v1';

/** A refusal in Google's form. */
export const refusal = (status: number, reason: string, message = 'refused'): TestResponse =>
  googleError(status, reason, message);

/**
 * A server that keeps the calls it gets, and lets a test respond to any of them in its own way.
 *
 * @param respond - responds to the others, whole batches excepted
 */
export const startInterceptedServer = async (
  respond: (request: RecordedRequest) => Promise<TestResponse>,
) => {
  const requests: RecordedRequest[] = [];
  let interceptor: Interceptor = () => undefined;
  let inFlight = 0;

  const respondToOne = async (request: RecordedRequest): Promise<TestResponse> => {
    requests.push(request);
    return (await interceptor(request)) ?? (await respond(request));
  };
  const respondToBatch = (request: RecordedRequest): Promise<Outcome> =>
    handleBatch({ ...request, body: String(request.body) }, async (call) =>
      toOutcome(await respondToOne(toRecorded(call, true))),
    );

  const server = await listenOnLoopback((incoming, response) => {
    inFlight += 1;
    response.once('close', () => {
      inFlight -= 1;
    });
    void readRequest(incoming).then(async (request) => {
      if (request.path !== BATCH_PATH) return send(response, await respondToOne(request));
      requests.push(request);
      send(response, (await interceptor(request)) ?? (await respondToBatch(request)));
    });
  }, 0);

  return {
    url: server.url,
    requests,
    /** How many calls wait for their response; a batch is one. */
    inFlight: () => inFlight,
    respondToBatch,
    intercept(next: Interceptor) {
      interceptor = next;
    },
    close: server.close,
  };
};

const toRecorded = (
  { method, path, query, headers, body }: Incoming,
  isInBatch: boolean,
): RecordedRequest => {
  const isJson = headers['content-type']?.startsWith('application/json');
  return { method, path, query, headers, body: isJson ? JSON.parse(body) : body || undefined, isInBatch };
};

const readRequest = async (request: IncomingMessage): Promise<RecordedRequest> => {
  const { pathname: path, searchParams: query } = new URL(request.url ?? '', 'http://sandbox');
  const body = (await buffer(request)).toString();
  const headers = request.headers as Record<string, string>;
  return toRecorded({ method: request.method ?? '', path, query, headers, body }, false);
};

const toText = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

const toOutcome = (response: TestResponse): Outcome => {
  if (typeof response === 'string') return response.startsWith('hang') ? 'hang' : 'reset';
  const { status = 200, headers = {}, body = {} } = response;
  return { status, headers, body: toText(body) };
};

/** Sends a response, or breaks off as it says. */
const send = (response: ServerResponse, given: TestResponse): void => {
  if (given === 'hang') return;
  if (given === 'reset') {
    response.socket?.resetAndDestroy();
  } else if (given === 'hang_after_head' || given === 'reset_after_head') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{"id":', () => {
      if (given === 'reset_after_head') response.socket?.resetAndDestroy();
    });
  } else {
    const { body = {} } = given;
    response
      .writeHead(given.status ?? 200, { 'content-type': 'application/json', ...given.headers })
      .end(Buffer.isBuffer(body) ? body : toText(body));
  }
};
