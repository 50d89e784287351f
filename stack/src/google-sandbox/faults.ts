import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { type Answer, jsonAnswer, type Outcome } from './answer.ts';
import { googleError, invalidCredentials, notFound } from './google-errors.ts';

/** Longest answer that a fault can hold back, in milliseconds. */
const MAX_DELAY_MS = 120_000;

const FAULT_KINDS = [
  'unauthorized',
  'forbidden',
  'rate_limited_403',
  'rate_limited_429',
  'server_error',
  'unavailable',
  'history_expired',
  'invalid_grant',
  'delay',
  'hang',
  'reset',
] as const;
type FaultKind = (typeof FAULT_KINDS)[number];

const isPattern = (text: string): boolean => {
  try {
    return Boolean(new RegExp(text));
  } catch {
    return false;
  }
};

/** An order that the next calls which fit it go wrong. */
export const FaultSchema = z.strictObject({
  kind: z.enum(FAULT_KINDS),
  /** A regular expression that the path has to match; calls within a batch have paths of their own. */
  path: z.string().refine(isPattern, 'must be a regular expression').default('^/gmail/'),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
  /** How many calls go wrong. */
  times: z.number().int().min(1).default(1),
  /** How many calls that fit go well before. */
  after: z.number().int().min(0).default(0),
  /** Value of the Retry-After header, where the kind has one. */
  retryAfterSeconds: z.number().int().min(0).optional(),
  /** How long the kind `delay` holds back the true answer. */
  delayMs: z.number().int().min(0).max(MAX_DELAY_MS).default(0),
});
export type Fault = z.infer<typeof FaultSchema>;

export interface Faults {
  add(fault: Fault): void;
  clear(): void;
  /** Those that still have calls to spoil. */
  list(): Fault[];
  /** Answers a call by the fault that fits it first, or lets it through. */
  around(call: { method: string; path: string }, answer: () => Promise<Outcome>): Promise<Outcome>;
}

/** Keeps the orders to go wrong, and carries them out. */
export const createFaults = (): Faults => {
  let pending: Fault[] = [];

  const take = (call: { method: string; path: string }): Fault | undefined => {
    const fault = pending.find(
      ({ path, method }) =>
        new RegExp(path).test(call.path) && (method === undefined || method === call.method),
    );
    if (fault === undefined) return undefined;
    if (fault.after > 0) {
      fault.after -= 1;
      return undefined;
    }
    fault.times -= 1;
    if (fault.times === 0) pending = pending.filter((other) => other !== fault);
    return fault;
  };

  return {
    add: (fault) => void pending.push({ ...fault }),
    clear: () => {
      pending = [];
    },
    list: () => pending.map((fault) => ({ ...fault })),
    async around(call, answer) {
      const fault = take(call);
      if (fault === undefined) return await answer();
      if (fault.kind === 'hang' || fault.kind === 'reset') return fault.kind;
      if (fault.kind !== 'delay') return FAULT_ANSWERS[fault.kind](retryAfter(fault));
      await delay(fault.delayMs);
      return await answer();
    },
  };
};

const retryAfter = ({ retryAfterSeconds }: Fault): Record<string, string> =>
  retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };

type AnswerKind = Exclude<FaultKind, 'delay' | 'hang' | 'reset'>;

const FAULT_ANSWERS: Record<AnswerKind, (headers: Record<string, string>) => Answer> = {
  unauthorized: () => invalidCredentials(),
  forbidden: () =>
    googleError({
      status: 403,
      reason: 'insufficientPermissions',
      message: 'Request had insufficient authentication scopes.',
    }),
  rate_limited_403: (headers) =>
    googleError(
      {
        status: 403,
        reason: 'userRateLimitExceeded',
        message: 'User Rate Limit Exceeded',
        domain: 'usageLimits',
      },
      headers,
    ),
  rate_limited_429: (headers) =>
    googleError(
      { status: 429, reason: 'rateLimitExceeded', message: 'Rate Limit Exceeded', domain: 'usageLimits' },
      headers,
    ),
  server_error: () =>
    googleError({ status: 500, reason: 'backendError', message: 'Internal error encountered.' }),
  unavailable: (headers) =>
    googleError(
      { status: 503, reason: 'backendError', message: 'The service is currently unavailable.' },
      headers,
    ),
  history_expired: () => notFound(),
  invalid_grant: () =>
    jsonAnswer(400, { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' }),
};
