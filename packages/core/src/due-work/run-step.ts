import type { Database } from '@mailsweep/database';
import { type Logger, whileRenewing } from '@mailsweep/service-kit';
import { onBehalfOf } from '@mailsweep/service-kit/outgoing-calls';
import { inSpan, recordFailure, SpanKind } from '@mailsweep/service-kit/tracing';
import { LEASE_S, type LeasedWork, releaseWork, renewLease } from './due-work.repository.ts';
import type { WorkKind } from './work-kinds.repository.ts';

/** What is to be done after a step: the next one, the same again after a while, or what the row itself says. */
export type StepOutcome =
  | { kind: 'next' }
  | { kind: 'wait'; waitMs: number; reason: string }
  | { kind: 'over' };

/** Pause before a step is repeated that failed for an unknown reason, in milliseconds. */
const PAUSE_MS = 15_000;
const RENEWAL_MS = (LEASE_S * 1_000) / 3;

/** @param stopping - aborted when the process stops, to end the step at once */
export type TakeStep = (work: LeasedWork, stopping: AbortSignal) => Promise<StepOutcome>;

/**
 * Takes a step of work that is leased to this process, and ends the lease.
 *
 * @param stopping - aborted to end the step at once; left out where it gets the time to end
 */
export type RunStep = (work: LeasedWork, stopping?: AbortSignal) => Promise<void>;

const NEVER = new AbortController().signal;

/**
 * Has the lease renewed while a step is taken. A step that fails is repeated after a pause, or left to another process at
 * once where this one is stopping. Its span goes on the trace that made the work due.
 */
export const createRunStep =
  (
    { database, logger }: { database: Database; logger: Logger },
    kind: WorkKind,
    takeStep: TakeStep,
  ): RunStep =>
  (work, stopping = NEVER) =>
    inSpan(`process ${kind}`, { kind: SpanKind.CONSUMER, traceParents: work.traceParents }, async (span) => {
      const fields = { kind, id: work.id, userId: work.userId };
      const waitMs = await whileRenewing(
        () => onBehalfOf(work.userId, () => takeStep(work, stopping)).then(toWaitMs, toPauseMs),
        {
          renew: () => renewLease(database, kind, work),
          intervalMs: RENEWAL_MS,
          onFailure: (error) =>
            logger.warn({ ...fields, err: error }, 'the lease of a step could not be renewed'),
        },
      );
      await releaseWork(database, kind, work, waitMs);

      function toPauseMs(error: unknown): number {
        if (stopping.aborted) return 0;
        recordFailure(span, error);
        logger.warn({ ...fields, err: error }, 'a step failed and is repeated');
        return PAUSE_MS;
      }
    });

const toWaitMs = (outcome: StepOutcome): number | null => {
  if (outcome.kind === 'wait') return outcome.waitMs;
  return outcome.kind === 'next' ? 0 : null;
};
