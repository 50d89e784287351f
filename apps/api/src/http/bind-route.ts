import { pipeline } from 'node:stream/promises';
import type { RouteContract } from '@mailsweep/contracts';
import { ProblemError, requestIdOf, toFieldFaults } from '@mailsweep/service-kit';
import type { Request, RequestHandler, Response, Router } from 'express';
import type { z } from 'zod';
import { sessionOf } from '../auth/authenticate.ts';
import type { Session } from '../auth/session.repository.ts';
import type { EventStreams } from '../streams/event-streams.ts';
import { type StreamItem, sendEvents } from '../streams/send-events.ts';

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;

/** What a handler gets: everything that the contract names, parsed. */
interface RouteInput<C extends RouteContract> {
  params: Parsed<C['params']>;
  query: Parsed<C['query']>;
  body: Parsed<C['body']>;
  /** Present on authenticated routes. */
  session: Session;
  requestId: string;
  /** Has the route answer 202: what was asked for goes on after the answer. */
  accept: () => void;
}

export type RouteHandler<C extends RouteContract> = (input: RouteInput<C>) => Promise<z.input<C['response']>>;

/** Answers a route piece by piece; the pieces together are the JSON text of its response. */
export type DownloadHandler<C extends RouteContract> = (input: RouteInput<C>) => AsyncIterable<string>;

/** Answers a route event by event; the data of each matches the route's response. */
export type StreamHandler<C extends RouteContract> = (
  input: RouteInput<C> & {
    /** The last event that the client has seen, when it comes back. */
    lastEventId: string | undefined;
    /** Aborted when the client is gone or the process ends. */
    signal: AbortSignal;
  },
) => AsyncIterable<StreamItem>;

/** Binds handlers to the routes of contracts. */
export interface BindRoute {
  <const C extends RouteContract>(router: Router, contract: C, handler: RouteHandler<C>): void;
  /** For answers that are too large to hold; browsers save them as a file. */
  download<const C extends RouteContract>(
    router: Router,
    contract: C,
    fileName: string,
    handler: DownloadHandler<C>,
  ): void;
  /** For answers that go on while there is something to tell; each takes one of the places for streams. */
  stream<const C extends RouteContract>(router: Router, contract: C, handler: StreamHandler<C>): void;
}

/**
 * Makes the function that puts a contract's route on a router: guards, strict parsing of path, query and
 * body, the handler, and its answer as JSON.
 *
 * @param options.authenticatedGuards - run before everything else on routes that need a session
 * @param options.parseBody - runs after the guards: no unknown client makes us read a body
 * @param options.eventStreams - the places for streams
 * @param options.validationErrorStatus - status of a request that does not match its contract
 */
export const createBindRoute = (options: {
  authenticatedGuards: RequestHandler[];
  parseBody: RequestHandler[];
  eventStreams: EventStreams;
  validationErrorStatus: number;
}): BindRoute => {
  const parse = (schema: z.ZodType | undefined, value: unknown, place: string) => {
    if (schema === undefined) return undefined;
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    const faults = toFieldFaults(result.error);
    const detail = `The ${place} is not valid: ${faults.map(({ path, message }) => `${path || place} ${message}`).join('; ')}`;
    throw new ProblemError(options.validationErrorStatus, 'validation_failed', detail.slice(0, 1_000), {
      faults: faults.slice(0, 100),
    });
  };
  const readInput = (contract: RouteContract, request: Request, response: Response) => ({
    params: parse(contract.params, request.params, 'path'),
    query: parse(contract.query, request.query, 'query'),
    body: parse(contract.body, request.body, 'body'),
    session: sessionOf(response),
    requestId: requestIdOf(response),
    accept: () => void response.status(202),
  });

  const add = (router: Router, contract: RouteContract, answer: RequestHandler): void => {
    const guards = contract.authenticated ? options.authenticatedGuards : [];
    const body = contract.body === undefined ? [] : options.parseBody;
    router[contract.method](contract.path.replaceAll(/\{(\w+)\}/g, ':$1'), ...guards, ...body, answer);
  };

  const bind: Pick<BindRoute, never> & ((...route: Parameters<BindRoute>) => void) = (
    router,
    contract,
    handler,
  ) =>
    add(router, contract, async (request, response) => {
      const answer: unknown = await handler(readInput(contract, request, response) as never);
      response.set('cache-control', 'no-store');
      if (answer === undefined) response.status(204).end();
      else response.json(answer);
    });

  const download: BindRoute['download'] = (router, contract, fileName, handler) =>
    add(router, contract, async (request, response) => {
      const pieces = handler(readInput(contract, request, response) as never)[Symbol.asyncIterator]();
      // Whatever is wrong shows with the first piece, while a problem document can still be sent.
      const first = await pieces.next();
      response
        .type('application/json')
        .set({ 'cache-control': 'no-store', 'content-disposition': `attachment; filename="${fileName}"` });
      const send = pipeline(async function* () {
        if (!first.done) yield first.value;
        yield* { [Symbol.asyncIterator]: () => pieces };
      }, response);
      await send.catch((error: NodeJS.ErrnoException) => {
        // A client that leaves before the end is no fault; the access log tells of it.
        if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
      });
    });

  const stream: BindRoute['stream'] = (router, contract, handler) =>
    add(router, contract, async (request, response) => {
      const input = readInput(contract, request, response);
      const signal = options.eventStreams.open(response, input.session.userId);
      const events = handler({ ...input, signal, lastEventId: request.get('last-event-id') } as never);
      await sendEvents(response, events[Symbol.asyncIterator](), {
        isHeadOnly: request.method === 'HEAD',
        signal,
      });
    });

  return Object.assign(bind, { download, stream });
};
