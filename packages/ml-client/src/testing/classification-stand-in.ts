import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { ML_SUGGEST_PATH, type MlRequestItem, MlRequestSchema, type Suggestion } from '@mailsweep/contracts';
import { listenOnLoopback } from '@mailsweep/service-kit';

/** How the stand-in responds to its n-th call, counted from 1. */
export type Behaviour = (response: ServerResponse, items: MlRequestItem[], callNumber: number) => unknown;

interface ReceivedCall {
  path: string;
  headers: IncomingHttpHeaders;
  /** The body as it was sent. */
  items: MlRequestItem[];
}

/** The status with which the service refuses a request that is no request for suggestions; undefined for one that is. */
const refusalOf = ({ method, url = '', headers }: IncomingMessage, body: unknown): number | undefined => {
  if (method !== 'POST' || !url.endsWith(ML_SUGGEST_PATH)) return 404;
  if (!headers['content-type']?.startsWith('application/json')) return 415;
  if (headers.authorization === undefined) return 401;
  return MlRequestSchema.safeParse(body).success ? undefined : 400;
};

/**
 * A classification service that does whatever a test wants of it, after it has refused what the real one refuses. It takes
 * any internal token.
 *
 * @param initial - how it responds until told otherwise
 */
export const startClassificationStandIn = async (initial: Behaviour = respondWithSuggestions([])) => {
  const calls: ReceivedCall[] = [];
  let behaviour = initial;
  const listen = (port: number) =>
    listenOnLoopback(async (request, response) => {
      response.on('error', () => response.destroy());
      const items = (await json(request)) as MlRequestItem[];
      calls.push({ path: request.url ?? '', headers: request.headers, items });
      const refusal = refusalOf(request, items);
      if (refusal !== undefined) return void response.writeHead(refusal).end();
      behaviour(response, items, calls.length);
    }, port);
  let server: Awaited<ReturnType<typeof listen>> | undefined = await listen(0);
  const { url, port } = server;
  return {
    url,
    /** The calls since the last change of behaviour, those that it refused among them. */
    calls,
    behave(next: Behaviour) {
      behaviour = next;
      calls.length = 0;
    },
    /** Refuses connections from now on. */
    async close() {
      await server?.close();
      server = undefined;
    },
    /** Takes connections again, at the same address. */
    async reopen() {
      server ??= await listen(port);
    },
  };
};

/** Responds as the service should: with the same suggestions for every email, or with what the function says. */
export const respondWithSuggestions =
  (suggestions: Suggestion[] | ((item: MlRequestItem) => Suggestion[])): Behaviour =>
  (response, items) =>
    respondWithJson(
      items.map((item) => ({
        id: item.id,
        suggestions: typeof suggestions === 'function' ? suggestions(item) : suggestions,
      })),
    )(response, items, 1);

/** Behaves in the first way at its first call, and so on; the last way stays. */
export const inTurn =
  (...behaviours: [Behaviour, ...Behaviour[]]): Behaviour =>
  (response, items, callNumber) =>
    behaviours[Math.min(callNumber, behaviours.length) - 1]?.(response, items, callNumber);

/** Responds with 200 with a JSON value. */
export const respondWithJson =
  (value: unknown): Behaviour =>
  (response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
  };

/** Responds with 200 with a text. */
export const respondWithText =
  (body: string): Behaviour =>
  (response) => {
    response.end(body);
  };

/** Responds with a status with a body that looks like a usable response. */
export const respondWithStatus =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (response) => {
    response.writeHead(status, headers).end('[]');
  };

/** Never responds. */
export const hang: Behaviour = () => undefined;

/** Sends its headers, then nothing more. */
export const hangAfterHeaders: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
};

/** Sends white space, byte by byte, without end. */
export const drip: Behaviour = (response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write(' '), 10);
  response.on('close', () => clearInterval(timer));
};

/** Resets the connection instead of responding. */
export const reset: Behaviour = (response) => {
  response.req.socket.resetAndDestroy();
};

/** Resets the connection in the middle of its response. */
export const resetMidResponse: Behaviour = (response) => {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('[{"id":', () => response.req.socket.resetAndDestroy());
};

/** Sends so many bytes of one JSON text, as fast as the client reads; tells how far it came. */
export const flood = (totalBytes: number) => {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const progress = { sentBytes: 0 };
  const behaviour: Behaviour = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('"');
    const pump = () => {
      while (progress.sentBytes < totalBytes && !response.destroyed) {
        progress.sentBytes += chunk.length;
        if (!response.write(chunk)) {
          response.once('drain', pump);
          return;
        }
      }
      response.end('"');
    };
    pump();
  };
  return { behaviour, progress };
};
