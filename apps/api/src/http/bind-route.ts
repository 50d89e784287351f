import type { RouteContract } from '@mailsweep/contracts';
import { ProblemError, requestIdOf, toFieldFaults } from '@mailsweep/service-kit';
import type { RequestHandler, Router } from 'express';
import type { z } from 'zod';
import { sessionOf } from '../auth/authenticate.ts';
import type { Session } from '../auth/session.repository.ts';

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;

/** What a handler gets: everything that the contract names, parsed. */
interface RouteInput<C extends RouteContract> {
  params: Parsed<C['params']>;
  query: Parsed<C['query']>;
  body: Parsed<C['body']>;
  /** Present on authenticated routes. */
  session: Session;
  requestId: string;
}

export type RouteHandler<C extends RouteContract> = (input: RouteInput<C>) => Promise<z.input<C['response']>>;

/** Binds handlers to the routes of contracts. */
export type BindRoute = <const C extends RouteContract>(
  router: Router,
  contract: C,
  handler: RouteHandler<C>,
) => void;

/**
 * Makes the function that puts a contract's route on a router: guards, strict parsing of path, query and
 * body, the handler, and its answer as JSON.
 *
 * @param options.authenticatedGuards - run before everything else on routes that need a session
 * @param options.parseBody - runs after the guards: no unknown client makes us read a body
 * @param options.validationErrorStatus - status of a request that does not match its contract
 */
export const createBindRoute =
  (options: {
    authenticatedGuards: RequestHandler[];
    parseBody: RequestHandler[];
    validationErrorStatus: number;
  }): BindRoute =>
  (router, contract, handler) => {
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
    const answer: RequestHandler = async (request, response) => {
      const input = {
        params: parse(contract.params, request.params, 'path'),
        query: parse(contract.query, request.query, 'query'),
        body: parse(contract.body, request.body, 'body'),
        session: sessionOf(response),
        requestId: requestIdOf(response),
      };
      response.set('cache-control', 'no-store').json(await handler(input as Parameters<typeof handler>[0]));
    };
    const guards = contract.authenticated ? options.authenticatedGuards : [];
    const body = contract.body === undefined ? [] : options.parseBody;
    router[contract.method](contract.path.replaceAll(/\{(\w+)\}/g, ':$1'), ...guards, ...body, answer);
  };
