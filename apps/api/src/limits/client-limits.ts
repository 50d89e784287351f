import { type OutageLog, ProblemError } from '@mailsweep/service-kit';
import { CircuitOpenError, createCircuitBreaker } from '@mailsweep/service-kit/resilience';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { callerOf, limitKeyOf } from '../auth/authenticate.ts';
import { OAuthError } from '../auth/authorization-server/oauth-error.ts';
import { createProblem } from '../http/problems.ts';
import { onRequestAndWorkEnd, onRequestEnd, onWorkEnd } from '../http/request-end.ts';
import type { RequestLimit, ShedReason } from '../operations/metrics.ts';
import { overloaded } from './shed-load.ts';

/** Exports that are sent at once; each holds some pages of rows in memory. */
const MAX_EXPORTS = 8;
/** Look-ups of domains and of documents of programs at once; they take no slot while servers that anybody names respond. */
const MAX_LOOK_UPS_PER_ADDRESS = 2;
const MAX_LOOK_UPS = 16;

/**
 * Makes the limits that keep one client from taking what others need: on requests in flight of an address and of a
 * user, on exports and on look-ups. Requests count until their response is read, for until then it takes memory.
 *
 * @param options.addressOf - names the client's address; undefined for requests that do not count
 * @param options.onRefused - called with the limit that refused a request
 * @param options.onShed - called when all clients together have too many exports or look-ups
 */
export const createClientLimits = (options: {
  maxInFlightPerAddress: number;
  maxInFlightPerUser: number;
  addressOf: (request: Request) => string | undefined;
  onRefused: (limit: RequestLimit) => void;
  onShed: (reason: ShedReason) => void;
}) => {
  const refuse = (limit: RequestLimit, detail: string) => () => {
    options.onRefused(limit);
    return tooManyRequestsInFlight(detail);
  };
  const inTotal = (maxInFlight: number, reason: ShedReason, onEnd: OnEnd) =>
    createInFlightLimit({
      maxInFlight,
      keyOf: () => 'all',
      onEnd,
      refuse: () => {
        options.onShed(reason);
        return overloaded();
      },
    });
  const byAddress = createInFlightLimit({
    maxInFlight: options.maxInFlightPerAddress,
    keyOf: options.addressOf,
    onEnd: onRequestEnd,
    refuse: refuse('address_in_flight', 'Too many requests from your address are in flight.'),
  });
  const limitUser = () =>
    createInFlightLimit({
      maxInFlight: options.maxInFlightPerUser,
      keyOf: (_request, response) => limitKeyOf(response),
      // A client that leaves does not end the work on its request.
      onEnd: onRequestAndWorkEnd,
      refuse: refuse('user_in_flight', 'Too many of your requests are in flight.'),
    });
  const exportsByUser = createInFlightLimit({
    maxInFlight: 1,
    keyOf: (_request, response) => callerOf(response).userId,
    onEnd: onRequestEnd,
    refuse: refuse('export', 'Another export of yours is in flight.'),
  });
  const lookUpsByAddress = createInFlightLimit({
    maxInFlight: MAX_LOOK_UPS_PER_ADDRESS,
    keyOf: options.addressOf,
    onEnd: onWorkEnd,
    refuse: refuse('look_up', 'Too many look-ups from your address are in flight.'),
  });
  const lookUps = [lookUpsByAddress, inTotal(MAX_LOOK_UPS, 'look_up', onWorkEnd)];
  return {
    byAddress,
    byUser: limitUser(),
    /** Calls of assistants count apart: the requests that a tool makes count as any others. */
    callsByUser: limitUser(),
    exports: [exportsByUser, inTotal(MAX_EXPORTS, 'export', onRequestEnd)],
    /** Counts a look-up until the work on its request has ended, or refuses it. */
    countLookUp(request: Request, response: Response) {
      for (const limit of lookUps) limit(request, response, () => undefined);
    },
  };
};

const RETRY_AFTER_S = 1;

const tooManyRequestsInFlight = (detail: string): ProblemError =>
  createProblem('too_many_requests_in_flight', detail, {
    headers: { 'retry-after': String(RETRY_AFTER_S) },
  });

type OnEnd = (response: Response, listener: () => void) => void;

/**
 * Limits how many requests with the same key are in flight in this process.
 *
 * @param options.keyOf - whose request it is; undefined for requests that do not count
 * @param options.onEnd - called when a request no longer counts
 * @param options.refuse - makes the error for a request beyond the limit
 */
const createInFlightLimit = (options: {
  maxInFlight: number;
  keyOf: (request: Request, response: Response) => string | undefined;
  onEnd: OnEnd;
  refuse: () => ProblemError;
}): RequestHandler => {
  const inFlight = new Map<string, number>();

  const add = (key: string, change: 1 | -1) => {
    const count = (inFlight.get(key) ?? 0) + change;
    if (count === 0) inFlight.delete(key);
    else inFlight.set(key, count);
  };

  return (request, response, next) => {
    const key = options.keyOf(request, response);
    if (key === undefined) return next();
    if ((inFlight.get(key) ?? 0) >= options.maxInFlight) throw options.refuse();
    add(key, 1);
    options.onEnd(response, () => add(key, -1));
    next();
  };
};

const WINDOW_S = 60;
/** Cool-down after a Redis error, in milliseconds: only one request in each cool-down waits for its time-out. */
const REDIS_COOL_DOWN_MS = 1_000;

/** Names whose request it is. */
export type KeyOf = (request: Request, response: Response) => string;

type Limits = { keyPrefix: string; points: number; duration: number };

/** A refused request has a count, too; whatever else is thrown is an error of the store. */
const consume = async (limiter: RateLimiterAbstract, key: string, points = 1): Promise<RateLimiterRes> => {
  try {
    return await limiter.consume(key, points);
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return refusal;
    throw refusal;
  }
};

/** Most users and addresses whose requests are remembered during an outage of Redis. */
const MAX_UNREPORTED_KEYS = 10_000;

/** Redis may still execute a command that it did not answer in time. */
const isTimeout = (error: unknown) => error instanceof Error && error.message === 'Command timed out';

/**
 * Counts requests by key. This process always counts its own, so that the limit holds when Redis is lost or slow. Redis
 * adds those of the other replicas. Requests counted during an outage are reported with the next one.
 */
const createCounter = (limits: Limits, redis: Redis | undefined, outageLog: OutageLog) => {
  const own = new RateLimiterMemory(limits);
  const unreported = new LRUCache<string, number>({ max: MAX_UNREPORTED_KEYS, ttl: limits.duration * 1_000 });
  const shared = redis && new RateLimiterRedis({ ...limits, storeClient: redis });
  const breaker = createCircuitBreaker({ failureThreshold: 1, coolDownMs: REDIS_COOL_DOWN_MS });

  return async (key: string): Promise<RateLimiterRes> => {
    const counted = await consume(own, key);
    const isOver = counted.consumedPoints > limits.points;
    if (shared === undefined || isOver) return counted;
    const points = (unreported.get(key) ?? 0) + 1;
    unreported.delete(key);
    try {
      const ofAll = await breaker.run(() => consume(shared, key, points));
      outageLog.recovered();
      return ofAll;
    } catch (error) {
      if (!isTimeout(error)) unreported.set(key, (unreported.get(key) ?? 0) + points);
      if (!(error instanceof CircuitOpenError)) outageLog.failed(error);
      return counted;
    }
  };
};

/**
 * A limit on requests per minute, counted by key. It is shared by all replicas through Redis where there is
 * one; without it, or while it is down, each replica counts for itself.
 */
export const createRateLimit = (options: {
  name: RequestLimit;
  requestsPerMinute: number;
  keyOf: KeyOf;
  redis: Redis | undefined;
  /** Told when Redis is lost and found again. */
  outageLog: OutageLog;
  onRefused: (name: RequestLimit) => void;
}): RequestHandler => {
  const limits = {
    keyPrefix: `limit:${options.name}`,
    points: options.requestsPerMinute,
    duration: WINDOW_S,
  };
  const count = createCounter(limits, options.redis, options.outageLog);

  return async (request, response, next) => {
    const state = await count(options.keyOf(request, response));
    const resetSeconds = Math.ceil(state.msBeforeNext / 1_000);
    response.set({
      'ratelimit-limit': String(options.requestsPerMinute),
      'ratelimit-remaining': String(Math.max(0, state.remainingPoints)),
      'ratelimit-reset': String(resetSeconds),
    });
    if (state.consumedPoints > options.requestsPerMinute) {
      options.onRefused(options.name);
      throw createProblem('too_many_requests', 'Too many requests: wait before you try again.', {
        headers: { 'retry-after': String(Math.max(1, resetSeconds)) },
      });
    }
    next();
  };
};

/** What a client without a session or token gets by guessing tokens and paths. */
const LIMITED_STATUSES = new Set([401, 404]);

/**
 * Limits the requests that fail with 401 or 404, or at the token endpoints, without a live session or token: beyond the limit they fail with 429.
 * Requests with one are neither counted nor refused here, whatever their address.
 *
 * @param options.limit - the limit that such a failure counts against
 */
export const createFailureLimit =
  (options: { limit: RequestHandler; isKnown: (response: Response) => boolean }): ErrorRequestHandler =>
  async (error: unknown, request, response, next) => {
    const isLimited =
      error instanceof OAuthError || (error instanceof ProblemError && LIMITED_STATUSES.has(error.status));
    // Throws the 429 in place of the error.
    if (isLimited && !options.isKnown(response)) await options.limit(request, response, () => undefined);
    next(error);
  };
