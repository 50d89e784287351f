import { type MailboxFault, MailboxFaultSchema } from '@mailsweep/contracts';
import { createMaintenance } from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import { type QueueBackend, registerOutboxMetrics, registerQueueMetrics } from '@mailsweep/event-bus';
import { type Mailbox, MailboxError } from '@mailsweep/mail/mailbox';
import { type BreakerState, ML_OUTCOMES, type MlOutcome } from '@mailsweep/ml-client';
import { createMetricsRegistry, registerReading, startAtZero } from '@mailsweep/service-kit';
import { startServerSpan } from '@mailsweep/service-kit/tracing';
import type { Request, RequestHandler } from 'express';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { onRequestEnd } from '../http/request-end.ts';

/** Upper ends of the buckets of request times, in seconds; the longest budgets are 5 s and 20 s. */
const DURATION_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30];
/** Limits of a user's or an address's requests. */
const REQUEST_LIMITS = [
  ...(['api', 'auth', 'oauth', 'providers', 'tokens', 'docs', 'health', 'failures'] as const),
  ...(['user_in_flight', 'address_in_flight', 'export', 'look_up'] as const),
];
export type RequestLimit = (typeof REQUEST_LIMITS)[number];
const SHED_REASONS = [
  ...(['in_flight', 'event_loop', 'database', 'mailbox', 'mailbox_queries', 'export', 'look_up'] as const),
];
export type ShedReason = (typeof SHED_REASONS)[number];
const BREAKER_STATES: readonly BreakerState[] = ['closed', 'half_open', 'open'];

/** What the API counts while it works; labels hold no ids, addresses or email. */
export interface ApiMetrics {
  registry: Registry;
  /** @param route - the route's pattern, never the path of a request */
  countRequest(request: { method: string; route: string; status: number; durationS: number }): void;
  countRateLimited(limit: RequestLimit): void;
  countShed(reason: ShedReason): void;
  countMailboxError(reason: MailboxFault): void;
  countMailboxResync(): void;
  countMlCall(outcome: MlOutcome): void;
  setBreaker(state: BreakerState): void;
}

/** Creates the API's metrics (docs/OPERATIONS.md lists them), in a registry that holds the process's own too. */
export const createApiMetrics = (): ApiMetrics => {
  const registry = createMetricsRegistry('api');
  const registers = [registry];
  const requests = new Counter({
    name: 'mailsweep_http_requests_total',
    help: 'Requests by method, route pattern and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'mailsweep_http_request_duration_seconds',
    help: 'Time from a request’s head to the end of its response, by method and route pattern.',
    labelNames: ['method', 'route'],
    buckets: DURATION_BUCKETS_S,
    registers,
  });
  const rateLimited = new Counter({
    name: 'mailsweep_rate_limited_requests_total',
    help: 'Requests refused because their user or address made too many, by limit.',
    labelNames: ['limit'],
    registers,
  });
  const shed = new Counter({
    name: 'mailsweep_shed_requests_total',
    help: 'Requests refused because the process had too much to do, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const mailboxErrors = new Counter({
    name: 'mailsweep_mailbox_errors_total',
    help: 'Errors of the provider, whole calls and single messages, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const mailboxResyncs = new Counter({
    name: 'mailsweep_mailbox_resyncs_total',
    help: 'Rebuilds of a mailbox’s cache because the provider’s history no longer reached back to its cursor.',
    registers,
  });
  const mlCalls = new Counter({
    name: 'mailsweep_ml_calls_total',
    help: 'Calls to the classification service by outcome; ml_circuit_open ones were not made.',
    labelNames: ['outcome'],
    registers,
  });
  const breaker = new Gauge({
    name: 'mailsweep_ml_breaker_state',
    help: 'State of the classification service’s circuit breaker: 1 for the present one, else 0.',
    labelNames: ['state'],
    registers,
  });
  const setBreaker = (state: BreakerState) => {
    for (const each of BREAKER_STATES) breaker.set({ state: each }, each === state ? 1 : 0);
  };
  setBreaker('closed');
  startAtZero(rateLimited, 'limit', REQUEST_LIMITS);
  startAtZero(shed, 'reason', SHED_REASONS);
  startAtZero(mailboxErrors, 'reason', MailboxFaultSchema.options);
  startAtZero(mlCalls, 'outcome', ML_OUTCOMES);

  return {
    registry,
    countRequest({ method, route, status, durationS }) {
      requests.inc({ method, route, status });
      durations.observe({ method, route }, durationS);
    },
    countRateLimited: (limit) => rateLimited.inc({ limit }),
    countShed: (reason) => shed.inc({ reason }),
    countMailboxError: (reason) => mailboxErrors.inc({ reason }),
    countMailboxResync: () => mailboxResyncs.inc(),
    countMlCall: (outcome) => mlCalls.inc({ outcome }),
    setBreaker,
  };
};

/** Registers what is counted in the database and the queue, at each reading. */
export const registerBacklogMetrics = (
  registry: Registry,
  sources: { database: Database; queue: QueueBackend },
): void => {
  registerQueueMetrics(registry, sources.queue);
  registerOutboxMetrics(registry, sources.database);
  registerReading(registry, createMaintenance(sources.database).measurePendingIntents, [
    {
      name: 'mailsweep_action_intents_pending',
      help: 'Mailbox changes whose outcome is pending; absent while the database cannot be reached.',
      show: (gauge, { count }) => gauge.set(count),
    },
    {
      name: 'mailsweep_action_intents_oldest_seconds',
      help: 'Age of the oldest mailbox change that is not recorded; 0 when there is none.',
      show: (gauge, { oldestSeconds }) => gauge.set(oldestSeconds),
    },
  ]);
};

/** Where the sign-in routes are mounted; Express forgets it once a handler has thrown. */
const AUTH_PREFIX = '/auth/';

/** The pattern of the route that took a request; undefined where none took it. */
const routeOf = (request: Request): string | undefined => {
  const pattern: unknown = request.route?.path;
  if (typeof pattern !== 'string') return undefined;
  const isMounted = request.originalUrl.startsWith(AUTH_PREFIX) && !pattern.startsWith(AUTH_PREFIX);
  return isMounted ? `/auth${pattern}` : pattern;
};

/** Requests of probes, which would be most of all traces. */
const isProbe = (path: string): boolean => /\/health(\/|$)/.test(path);

/** Counts, times and traces every request until its response is sent or its client has disconnected. */
export const createMeasureRequests =
  (metrics: Pick<ApiMetrics, 'countRequest'>): RequestHandler =>
  (request, response, next) => {
    const startedAtMs = performance.now();
    const span = isProbe(request.path) ? undefined : startServerSpan(request);
    onRequestEnd(response, () => {
      const route = routeOf(request);
      // The code that web servers log for a client that did not wait.
      const status = response.writableFinished ? response.statusCode : 499;
      span?.end({ route, status });
      metrics.countRequest({
        method: request.method,
        route: route ?? 'unmatched',
        status,
        durationS: (performance.now() - startedAtMs) / 1_000,
      });
    });
    if (span === undefined) next();
    else span.run(next);
  };

type Call = (...parameters: unknown[]) => Promise<unknown>;

/** The errors in a call's result, one for each failed message. */
const errorsIn = (result: unknown): MailboxError[] =>
  Array.isArray(result)
    ? result.flatMap((item: { error?: unknown }) => (item?.error instanceof MailboxError ? [item.error] : []))
    : [];

/** A mailbox that reports its errors: those of whole calls, and those of single messages in their results. */
export const observeMailbox = (mailbox: Mailbox, onError: (error: MailboxError) => void): Mailbox => {
  const observe =
    (call: Call): Call =>
    async (...parameters) => {
      try {
        const result = await call(...parameters);
        for (const error of errorsIn(result)) onError(error);
        return result;
      } catch (error) {
        if (error instanceof MailboxError) onError(error);
        throw error;
      }
    };
  const calls = Object.entries(mailbox).map(([name, call]) => [name, observe(call as Call)]);
  return Object.fromEntries(calls) as Mailbox;
};
