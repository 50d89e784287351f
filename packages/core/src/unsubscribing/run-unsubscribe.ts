import type { UnsubscribeError } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import type { TextCipher } from '@mailsweep/mail/message-cache';
import { type Logger, scheduledDelay } from '@mailsweep/service-kit';
import type { LeasedWork } from '../due-work/due-work.repository.ts';
import type { StepOutcome } from '../due-work/run-step.ts';
import { MAX_UNSUBSCRIBE_CALLS } from '../due-work/work-kinds.repository.ts';
import {
  findLeasedUnsubscribe,
  finishUnsubscribe,
  readUnsubscribeRequest,
  recordUnsubscribeAttempt,
  writeUnsubscribeRequest,
} from './unsubscribe.repository.ts';

const MINUTE_MS = 60_000;
/** Waits after calls that may succeed later. */
const retryDelayMs = scheduledDelay([MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS]);

/** Statuses of 400 to 499 that may pass: time-out, too early, too many requests. */
const TRANSIENT_STATUSES = new Set([408, 425, 429]);

/** What came of one call. */
export type UnsubscribeCallOutcome =
  | { kind: 'response'; status: number }
  | { kind: 'no_response' }
  /** The address leads to no server at all, or to none that may be called; calling it again changes nothing. */
  | { kind: 'unreachable' | 'address_refused' };

/** Sends a one-click request (RFC 8058) to an address from an email, which is not to be trusted. */
export type CallUnsubscribe = (url: string) => Promise<UnsubscribeCallOutcome>;

interface Verdict {
  state: 'accepted' | 'refused';
  error: UnsubscribeError | null;
  /** It may end otherwise when it is tried again. */
  isTransient: boolean;
}

const refuse = (error: UnsubscribeError, isTransient = false): Verdict => ({
  state: 'refused',
  error,
  isTransient,
});

const judge = (outcome: UnsubscribeCallOutcome): Verdict => {
  if (outcome.kind === 'no_response') return refuse('unreachable', true);
  if (outcome.kind !== 'response') return refuse(outcome.kind);
  const { status } = outcome;
  if (status >= 200 && status <= 299) return { state: 'accepted', error: null, isTransient: false };
  if (status >= 500) return refuse('server_error', true);
  if (status >= 400) return refuse('rejected', TRANSIENT_STATUSES.has(status));
  return refuse('redirected');
};

/**
 * Makes one attempt at a request: one call, and its record. A process that dies between the two leaves the attempt to
 * another one, which calls again; senders have to cope with that (RFC 8058, 3.2). Nothing of the address is logged.
 */
export const createRunUnsubscribe =
  (dependencies: { database: Database; cipher: TextCipher; call: CallUnsubscribe; logger: Logger }) =>
  async (work: LeasedWork): Promise<StepOutcome> => {
    const { database, cipher, call, logger } = dependencies;
    const { id, userId } = work;
    const row = await findLeasedUnsubscribe(database, work);
    if (row === null) return { kind: 'over' };
    const { encryptedRequest } = row;
    const attempts = row.attempts + 1;
    const request = readUnsubscribeRequest(cipher, userId, encryptedRequest);
    const outcome = await attempt(request?.url);
    const { state, error, isTransient } = judge(outcome);
    const status = outcome.kind === 'response' ? outcome.status : null;
    const wasCalled = row.status !== null || ['response', 'no_response'].includes(outcome.kind);
    const line = { userId, unsubscribeId: id, attempts, outcome: outcome.kind, status };
    if (isTransient && attempts < MAX_UNSUBSCRIBE_CALLS) {
      const waitMs = retryDelayMs(attempts);
      await recordUnsubscribeAttempt(database, work, status);
      logger.info({ ...line, waitMs }, 'a request to unsubscribe is repeated later');
      return { kind: 'wait', waitMs, reason: outcome.kind };
    }
    await finishUnsubscribe(database, work, {
      state,
      error,
      status,
      encryptedRequest: request
        ? writeUnsubscribeRequest(cipher, userId, {
            from: request.from,
            ...(wasCalled && request.url !== undefined && { host: new URL(request.url).host }),
          })
        : encryptedRequest,
    });
    logger.info({ ...line, error }, `a request to unsubscribe was ${state}`);
    return { kind: 'over' };

    async function attempt(url: string | undefined): Promise<UnsubscribeCallOutcome> {
      if (url === undefined) return { kind: 'address_refused' };
      // An operator has given it up.
      if (attempts > MAX_UNSUBSCRIBE_CALLS) return { kind: 'unreachable' };
      return await call(url);
    }
  };
