import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as openRequest,
  type RequestListener,
} from 'node:http';
import { duplexPair } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { currentTraceParent } from '@mailsweep/service-kit/tracing';
import type { RequestHandler } from 'express';
import type { Caller } from '../auth/authenticate.ts';

/** Whose request it is that further ones are sent for. */
export interface Origin {
  caller: Caller;
  /** The client's address, which limits count by. */
  address: string;
  requestId: string;
}

const toHeaders = ({ headers }: IncomingMessage): Headers =>
  new Headers(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );

/**
 * Sends requests to the app of this very process, over connections in memory, for a caller whom an earlier request has
 * authenticated: no token is passed on, and every guard, limit and record is that of any other request. The caller belongs
 * to the connection, so that no request of the network can claim to be one of these.
 */
export const createInProcess = () => {
  const callers = new WeakMap<object, Caller>();
  const server = createServer();

  const connect = ({ caller, address }: Origin) => {
    const [near, far] = duplexPair();
    Object.defineProperty(far, 'remoteAddress', { value: address });
    callers.set(far, caller);
    server.emit('connection', far);
    return near;
  };

  return {
    /** Gives the app that the requests are for. */
    serve: (app: RequestListener): void => void server.on('request', app),

    /** Takes the caller of a connection in memory; others are authenticated as before. */
    authenticateOr:
      (authenticate: RequestHandler): RequestHandler =>
      (request, response, next) => {
        const caller = callers.get(request.socket);
        if (caller === undefined) return authenticate(request, response, next);
        response.locals.caller = caller;
        next();
      },

    /** Makes the `fetch` of a client that calls for this caller. */
    createFetch:
      (origin: Origin): typeof fetch =>
      async (resource, init = {}) => {
        const { pathname, search, host } = new URL(String(resource));
        const traceparent = currentTraceParent();
        const headers: OutgoingHttpHeaders = {
          ...Object.fromEntries(new Headers(init.headers)),
          'x-request-id': origin.requestId,
          ...(traceparent && { traceparent }),
        };
        const response = await new Promise<IncomingMessage>((resolve, reject) => {
          openRequest({
            method: init.method ?? 'GET',
            path: pathname + search,
            host,
            headers,
            createConnection: () => connect(origin),
            ...(init.signal && { signal: init.signal }),
          })
            .on('response', resolve)
            .on('error', reject)
            .end(typeof init.body === 'string' ? init.body : undefined);
        });
        const body = await buffer(response);
        return new Response(body.length === 0 ? null : body, {
          status: response.statusCode ?? 0,
          headers: toHeaders(response),
        });
      },
  };
};

export type InProcess = ReturnType<typeof createInProcess>;
