import { ProblemError } from '@mailsweep/service-kit';
import type { Request, RequestHandler, Response } from 'express';
import type { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';

const WINDOW_S = 60;

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
  const memory = new RateLimiterMemory(limits);
  const limiter: RateLimiterAbstract =
    options.redis === undefined
      ? memory
      : new RateLimiterRedis({ ...limits, storeClient: options.redis, insuranceLimiter: memory });

  return async (request, response, next) => {
    const state = await limiter.consume(options.keyOf(request, response)).catch((refusal: unknown) => {
      if (refusal instanceof RateLimiterRes) return refusal;
      throw refusal;
    });
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
