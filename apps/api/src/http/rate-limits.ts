import { ProblemError } from '@mailsweep/service-kit';
import { createCircuitBreaker } from '@mailsweep/service-kit/resilience';
import type { Request, RequestHandler, Response } from 'express';
import type { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';

const WINDOW_S = 60;
/** Cool-down after a Redis error, in milliseconds: only one request in each cool-down waits for its time-out. */
const REDIS_COOL_DOWN_MS = 1_000;

type Limits = { keyPrefix: string; points: number; duration: number };

/** A refused request has a count, too; whatever else is thrown is a fault of the store. */
const consume = async (limiter: RateLimiterAbstract, key: string): Promise<RateLimiterRes> => {
  try {
    return await limiter.consume(key);
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return refusal;
    throw refusal;
  }
};

/**
 * Counts requests by key. This process always counts its own, so that the limit holds when Redis is lost or slow; Redis
 * adds those of the other replicas.
 */
const createCounter = (limits: Limits, redis: Redis | undefined) => {
  const own = new RateLimiterMemory(limits);
  const shared = redis && new RateLimiterRedis({ ...limits, storeClient: redis });
  const breaker = createCircuitBreaker({ failureThreshold: 1, coolDownMs: REDIS_COOL_DOWN_MS });

  return async (key: string): Promise<RateLimiterRes> => {
    const counted = await consume(own, key);
    const isOver = counted.consumedPoints > limits.points;
    if (shared === undefined || isOver) return counted;
    return breaker.run(() => consume(shared, key)).catch(() => counted);
  };
};

/**
 * A limit on requests per minute, counted by key. It is shared by all replicas through Redis where there is
 * one; without it, or while it is down, each replica counts for itself.
 *
 * @param options.keyOf - whose request it is
 */
export const createRateLimit = (options: {
  name: string;
  requestsPerMinute: number;
  keyOf: (request: Request, response: Response) => string;
  redis: Redis | undefined;
  /** Told of each request refused, with the limit's name. */
  onRefused: (name: string) => void;
}): RequestHandler => {
  const limits = {
    keyPrefix: `limit:${options.name}`,
    points: options.requestsPerMinute,
    duration: WINDOW_S,
  };
  const count = createCounter(limits, options.redis);

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
      throw new ProblemError(429, 'too_many_requests', 'Too many requests: wait before you try again.', {
        headers: { 'retry-after': String(Math.max(1, resetSeconds)) },
      });
    }
    next();
  };
};
