import { setTimeout as delay } from 'node:timers/promises';
import type { BehaviourSettings } from '../behaviour.ts';
import type { FaultEffect, Faults } from '../limits/faults.ts';
import { priceOf, type Quota } from '../limits/quota.ts';
import { googleError, insufficientScope, invalidCredentials } from '../protocol/google-errors.ts';
import type { RequestLog } from '../request-log.ts';
import type { Incoming, Outcome } from '../response.ts';
import { readBearer } from '../sign-in/oauth.ts';
import type { TokenMint } from '../sign-in/tokens.ts';

/** Allows everything. */
const FULL_SCOPE = 'https://mail.google.com/';
/** Allows all but deleting mail for good: users.messages.insert and import as well (their pages, "Authorization scopes"). */
const MODIFY_SCOPE = 'https://www.googleapis.com/auth/gmail.modify';
const READ_SCOPE = 'https://www.googleapis.com/auth/gmail.readonly';

/** users.messages.delete, users.messages.batchDelete and users.threads.delete. */
const DELETION_PATH = /\/(messages|threads)\/[^/]+$/;

/**
 * Lets calls through to the Gmail API as Google would: a good token, a scope that allows it, quota left. Carries
 * out ordered faults, and writes down what was asked.
 */
export const createGmailGate = (options: {
  tokens: TokenMint;
  faults: Faults;
  quota: Quota;
  log: RequestLog;
  behaviour: BehaviourSettings;
  latencyMs: number;
  handleCall: (email: string, request: Incoming, effect: FaultEffect) => Promise<Outcome>;
}) => {
  const { tokens, faults, quota, log, behaviour, latencyMs, handleCall } = options;

  return {
    async handle(request: Incoming, isInBatch: boolean): Promise<Outcome> {
      const { method, path } = request;
      const call = priceOf(method, path);
      let units = 0;

      const handleWithinQuota = async (email: string, effect: FaultEffect): Promise<Outcome> => {
        const refusal = quota.enter(email, call);
        if (refusal?.limit === 'concurrency') return tooManyAtOnce();
        if (refusal?.limit === 'units') {
          return quotaExceeded(behaviour.now.retryAfterHeader ? refusal.retryAfterMs : undefined);
        }
        try {
          units = call.units;
          if (latencyMs > 0) await delay(latencyMs);
          return await handleCall(email, request, effect);
        } finally {
          quota.leave(email);
        }
      };

      const outcome = await faults.around(request, async (effect) => {
        const grant = tokens.read('access', readBearer(request.headers.authorization));
        if (grant === null) return invalidCredentials();
        if (!allows(grant.scope, request)) return insufficientScope();
        return await handleWithinQuota(grant.email, effect);
      });
      log.add(request, outcome, { units, isInBatch });
      return outcome;
    },
  };
};

const allows = (scope: string, { method, path }: Incoming): boolean => {
  const granted = scope.split(' ');
  if (granted.includes(FULL_SCOPE)) return true;
  const isDeletion = path.endsWith('/batchDelete') || (method === 'DELETE' && DELETION_PATH.test(path));
  if (granted.includes(MODIFY_SCOPE)) return !isDeletion;
  return method === 'GET' && granted.includes(READ_SCOPE);
};

const tooManyAtOnce = () =>
  googleError(429, 'rateLimitExceeded', 'Too many concurrent requests for user', { domain: 'usageLimits' });

/** As mxngls/gmail-cleaner#5 and elie222/inbox-zero#480 show it. */
const quotaExceeded = (waitMs: number | undefined) =>
  googleError(
    403,
    'rateLimitExceeded',
    "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user' of service 'gmail.googleapis.com' for consumer 'project_number:481516234200'.",
    {
      domain: 'usageLimits',
      ...(waitMs !== undefined && { headers: { 'retry-after': String(Math.ceil(waitMs / 1_000)) } }),
    },
  );
