import { setTimeout as delay } from 'node:timers/promises';
import type { Incoming, Outcome } from './answer.ts';
import type { Faults } from './faults.ts';
import { googleError, invalidCredentials } from './google-errors.ts';
import { readBearer } from './oauth.ts';
import { priceOf, type Quota } from './quota.ts';
import type { RequestLog } from './request-log.ts';
import type { TokenMint } from './tokens.ts';

/** Scopes that allow every call but deleting for good; the sandbox draws no finer line than reading and writing. */
const FULL_SCOPES = ['https://www.googleapis.com/auth/gmail.modify', 'https://mail.google.com/'];
const READ_SCOPE = 'https://www.googleapis.com/auth/gmail.readonly';

const MS_PER_SECOND = 1_000;

/**
 * Lets calls through to the Gmail API as Google would: a good token, a scope that allows it, quota left. Carries
 * out ordered faults, and writes down what was asked.
 */
export const createGmailGate = (options: {
  tokens: TokenMint;
  faults: Faults;
  quota: Quota;
  log: RequestLog;
  /** How long a call is under way at least, in milliseconds. */
  latencyMs: number;
  answer: (email: string, request: Incoming) => Promise<Outcome>;
}) => {
  const { tokens, faults, quota, log, latencyMs, answer } = options;

  return {
    async handle(request: Incoming, isInBatch: boolean): Promise<Outcome> {
      const { method, path } = request;
      const call = priceOf(method, path);
      let units = 0;

      const answerOnQuota = async (email: string): Promise<Outcome> => {
        const refusal = quota.enter(email, call);
        if (refusal?.limit === 'concurrency') return tooManyAtOnce();
        if (refusal?.limit === 'units') return quotaExceeded(refusal.retryAfterMs);
        try {
          units = call.units;
          if (latencyMs > 0) await delay(latencyMs);
          return await answer(email, request);
        } finally {
          quota.leave(email);
        }
      };

      const outcome = await faults.around(request, async () => {
        const grant = tokens.read('access', readBearer(request.headers.authorization));
        if (grant === null) return invalidCredentials();
        if (!allows(grant.scope, method)) return insufficientScope();
        return await answerOnQuota(grant.email);
      });
      log.add(request, outcome, { units, isInBatch });
      return outcome;
    },
  };
};

const allows = (scope: string, method: string): boolean => {
  const granted = scope.split(' ');
  return (
    FULL_SCOPES.some((full) => granted.includes(full)) || (method === 'GET' && granted.includes(READ_SCOPE))
  );
};

const insufficientScope = () =>
  googleError({
    status: 403,
    reason: 'insufficientPermissions',
    message: 'Request had insufficient authentication scopes.',
  });

const tooManyAtOnce = () =>
  googleError({
    status: 429,
    reason: 'rateLimitExceeded',
    message: 'Too many concurrent requests for user',
    domain: 'usageLimits',
  });

const quotaExceeded = (waitMs: number) =>
  googleError(
    {
      status: 403,
      reason: 'userRateLimitExceeded',
      message: "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user'",
      domain: 'usageLimits',
    },
    { 'retry-after': String(Math.ceil(waitMs / MS_PER_SECOND)) },
  );
