import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import type { Deprecation, RouteContract } from '@mailsweep/contracts';
import type { IdempotentRequest } from '@mailsweep/core';
import { requestIdOf } from '@mailsweep/service-kit';
import type { Request, RequestHandler, Response, Router } from 'express';
import type { z } from 'zod';
import { type Caller, callerOf, toAuditIds } from '../auth/authenticate.ts';
import { type RequireAccess, requireConfirmation } from '../auth/require-access.ts';
import type { Session } from '../auth/session.repository.ts';
import type { Client, ReadClient } from '../http/client.ts';
import { REPLAYED_HEADER, type RespondOnce, readIdempotencyKey } from '../http/idempotency.ts';
import { NothingSchema, parseInput } from '../http/problems.ts';
import { endWork } from '../http/request-end.ts';

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;

/** What a handler gets: everything that the contract names, parsed. */
interface RouteInput<C extends RouteContract> {
  params: Parsed<C['params']>;
  query: Parsed<C['query']>;
  body: Parsed<C['body']>;
  /** Who sends the request, on routes that are not public; on some no token may. */
  caller: C['access'] extends 'session' | 'recent_sign_in' ? Session : Caller;
  requestId: string;
  /** Makes the route respond with 202: the work goes on after the response. */
  accept: () => void;
  /** The key that the request carried, on routes that take one. */
  idempotency: IdempotentRequest | undefined;
  /** Who sent the request, for the audit trail. */
  readClient: () => Client & ReturnType<typeof toAuditIds>;
  /**
   * Gives the response of a conditional route its `ETag`, by what it is made from.
   *
   * @returns whether the client has that response: it then gets 304 without a body, whatever the handler returns
   */
  setETag: (version: unknown) => boolean;
  clearSessionCookie: () => void;
}

type RouteHandler<C extends RouteContract> = (input: RouteInput<C>) => Promise<z.input<C['response']>>;

/** Responds piece by piece; the pieces together are the JSON text of its response. */
type DownloadHandler<C extends RouteContract> = (input: RouteInput<C>) => AsyncIterable<string>;

export interface BindRoute {
  <const C extends RouteContract>(router: Router, contract: C, handler: RouteHandler<C>): void;
  /** For responses that are too large for memory; browsers save them as a file. */
  download<const C extends RouteContract>(
    router: Router,
    contract: C,
    fileName: string,
    handler: DownloadHandler<C>,
  ): void;
}

/** The tags of the responses that a client has. A proxy that compresses responses makes them weak. */
const readKnownTags = (request: Request): string[] =>
  (request.get('if-none-match') ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));

/** The tag of whatever a response is made from. */
const toEntityTag = (version: unknown): string =>
  `"${createHash('sha256').update(JSON.stringify(version)).digest('base64url')}"`;

/**
 * Makes the function that puts a contract's route on a router: guards, strict parsing of path, query and
 * body, the handler, and its response as JSON.
 *
 * @param options.holdSlots - takes the slots of routes that are not public, while guards or handler work
 * @param options.authenticatedGuards - run before everything else on routes that are not public
 * @param options.authenticate - one of these guards; run again before each piece of a download
 * @param options.requireAccess - makes the guard that comes next, from the access of the route
 * @param options.parseBody - runs after the guards: no unknown client makes us read a body
 * @param options.downloadGuards - run before the handlers of downloads
 * @param options.readClient - who sent a request
 * @param options.clearSessionCookie - makes a response delete the browser's session cookie
 * @param options.respondOnce - carries requests out that carry an idempotency key
 */
export const createBindRoute = (options: {
  holdSlots: RequestHandler;
  authenticatedGuards: RequestHandler[];
  authenticate: RequestHandler;
  requireAccess: RequireAccess;
  parseBody: RequestHandler[];
  downloadGuards: RequestHandler[];
  readClient: ReadClient;
  clearSessionCookie: (response: Response) => void;
  respondOnce: RespondOnce;
}): BindRoute => {
  const parse = (schema: z.ZodType | undefined, value: unknown, place: string) => {
    const parsed = parseInput(schema ?? NothingSchema, value, place);
    return schema && parsed;
  };
  const readInput = (contract: RouteContract, request: Request, response: Response) => ({
    params: parse(contract.params, request.params, 'path'),
    // Probes of a service add parameters of their own.
    query: parse(contract.query, contract.isUnlimited ? {} : request.query, 'query'),
    body: parse(contract.body, contract.method === 'get' ? {} : request.body, 'body'),
    caller: callerOf(response),
    requestId: requestIdOf(response),
    accept: () => void response.status(202),
    idempotency: undefined,
    readClient: () => ({ ...options.readClient(request), ...toAuditIds(callerOf(response)) }),
    setETag: (version: unknown) => {
      const tag = toEntityTag(version);
      response.set('etag', tag);
      const isKnown = readKnownTags(request).includes(tag);
      if (isKnown) response.status(304);
      return isKnown;
    },
    clearSessionCookie: () => options.clearSessionCookie(response),
  });

  const add = (router: Router, contract: RouteContract, ...handlers: RequestHandler[]): void => {
    const { holdSlots, authenticatedGuards, requireAccess, parseBody } = options;
    const { access, deprecated } = contract;
    const announce = deprecated ? [announceDeprecation(deprecated)] : [];
    const guards =
      access === 'public'
        ? []
        : [holdSlots, ...authenticatedGuards, requireAccess(access), requireConfirmation(contract)];
    const body = contract.method === 'get' ? [] : parseBody;
    const path = contract.path.replaceAll(/\{(\w+)\}/g, ':$1');
    router[contract.method](path, ...announce, ...guards, ...body, ...handlers);
  };

  const bind: Pick<BindRoute, never> & ((...route: Parameters<BindRoute>) => void) = (
    router,
    contract,
    handler,
  ) =>
    add(router, contract, async (request, response) => {
      const input = readInput(contract, request, response);
      const key = contract.idempotent ? readIdempotencyKey(request) : undefined;
      if (key !== undefined) {
        await sendOnce(request, response, { input, key }, handler);
        return;
      }
      const result: unknown = await handler(input as never);
      response.set('cache-control', 'no-store');
      if (response.statusCode === 304) response.end();
      else if (result === undefined) response.status(204).end();
      else response.json(result);
    });

  const sendOnce = async (
    request: Request,
    response: Response,
    { input, key }: { input: ReturnType<typeof readInput>; key: string },
    handler: Parameters<BindRoute>[2],
  ): Promise<void> => {
    const { caller, body: parsedBody } = input;
    const parsed = { userId: caller.userId, key, body: parsedBody };
    const { status, body, isReplayed } = await options.respondOnce(request, parsed, async (idempotency) => {
      const result: unknown = await handler({ ...input, idempotency } as never);
      return { status: response.statusCode, body: JSON.stringify(result) };
    });
    response.status(status).set('cache-control', 'no-store').type('json');
    if (isReplayed) response.set(REPLAYED_HEADER, 'true');
    response.send(body);
  };

  const download: BindRoute['download'] = (router, contract, fileName, handler) =>
    add(router, contract, ...options.downloadGuards, async (request, response) => {
      const pieces = handler(readInput(contract, request, response) as never)[Symbol.asyncIterator]();
      // Errors show with the first piece, while a problem document can still be sent.
      const first = await pieces.next();
      endWork(response);
      response
        .type('application/json')
        .set({ 'cache-control': 'no-store', 'content-disposition': `attachment; filename="${fileName}"` });
      const send = pipeline(async function* () {
        if (!first.done) yield first.value;
        for await (const piece of { [Symbol.asyncIterator]: () => pieces }) {
          await options.authenticate(request, response, () => undefined);
          yield piece;
        }
      }, response);
      await send.catch((error: NodeJS.ErrnoException) => {
        // A client that leaves early is not an error, nor is a session that has ended; the access log shows it.
        if (!['ERR_STREAM_PREMATURE_CLOSE', 'unauthorized'].includes(error.code ?? '')) throw error;
      });
    });

  return Object.assign(bind, { download });
};

const DAY_MS = 24 * 60 * 60 * 1_000;
const SHORTEST_NOTICE_DAYS = 180;

const toTime = (date: string): number => {
  const time = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(time)) throw new Error(`${date} is not a date such as 2027-01-31.`);
  return time;
};

/**
 * Makes the handler that announces the end of a route with each of its responses.
 *
 * @throws when a date is none, or the sunset leaves clients less than half a year
 */
const announceDeprecation = ({ since, sunset }: Deprecation): RequestHandler => {
  const [start, end] = [toTime(since), toTime(sunset)];
  if (end - start < SHORTEST_NOTICE_DAYS * DAY_MS) {
    throw new Error(`From ${since} to ${sunset} is less than ${SHORTEST_NOTICE_DAYS} days.`);
  }
  const headers = { deprecation: `@${start / 1_000}`, sunset: new Date(end).toUTCString() };
  return (_request, response, next) => {
    response.set(headers);
    next();
  };
};
