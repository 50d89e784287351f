import { MAILBOX_HEADER } from '@mailsweep/contracts';
import cors from 'cors';
import type { RequestHandler } from 'express';
import { IDEMPOTENCY_KEY_HEADER, REPLAYED_HEADER } from './idempotency.ts';

/** Names the user, in responses; in requests, whom they are meant for. */
export const USER_HEADER = 'Mailsweep-User';

/** How long a browser may remember the response to a preflight request, in seconds. */
const PREFLIGHT_MAX_AGE_S = 600;

/** Lets the front end alone call from its origin, with cookies. */
export const createCors = (frontendOrigin: string): RequestHandler =>
  cors({
    origin: [frontendOrigin],
    credentials: true,
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'content-type',
      'authorization',
      'x-request-id',
      'traceparent',
      'if-none-match',
      IDEMPOTENCY_KEY_HEADER,
      USER_HEADER,
      MAILBOX_HEADER,
    ],
    exposedHeaders: [
      'etag',
      'x-request-id',
      'ratelimit-limit',
      'ratelimit-remaining',
      'ratelimit-reset',
      'retry-after',
      'deprecation',
      'sunset',
      REPLAYED_HEADER,
      USER_HEADER,
    ],
    maxAge: PREFLIGHT_MAX_AGE_S,
  });
