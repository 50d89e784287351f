import type { Suggestion } from '@mailsweep/contracts';
import { type Logger, startAtZero } from '@mailsweep/service-kit';
import { Counter, Histogram, type Registry } from 'prom-client';
import { createMlClient } from '../create-ml-client.ts';
import { type MlClient, type MlFailureCode, MlUnavailableError } from '../ml-client.ts';
import { COMPARED_ACTIONS, type Comparison, compareSuggestions } from './compare-suggestions.ts';

const SHADOW_OUTCOMES = ['ok', 'failed', 'timed_out', 'invalid', 'dropped'] as const;
/** How a call to the shadow ended; `dropped`: it was not made. */
type ShadowOutcome = (typeof SHADOW_OUTCOMES)[number];

/** Upper ends of the buckets of call times, in seconds; a call has five. */
const DURATION_BUCKETS_S = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Registers the metrics of the shadow classification service; labels hold no word of a service's own. */
const createShadowMetrics = (registry: Registry) => {
  const registers = [registry];
  const calls = new Counter({
    name: 'mailsweep_ml_shadow_calls_total',
    help: 'Calls to the shadow classification service by outcome; dropped ones were not made.',
    labelNames: ['outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'mailsweep_ml_shadow_duration_seconds',
    help: 'Time of the calls to the shadow classification service that were made.',
    buckets: DURATION_BUCKETS_S,
    registers,
  });
  const comparisons = new Counter({
    name: 'mailsweep_ml_shadow_comparisons_total',
    help: 'Emails for which both classification services sent a response, by the action that each suggests first.',
    labelNames: ['result', 'primary', 'shadow'],
    registers,
  });
  startAtZero(calls, 'outcome', SHADOW_OUTCOMES);
  for (const primary of COMPARED_ACTIONS)
    for (const shadow of COMPARED_ACTIONS) {
      if (primary === shadow) comparisons.inc({ result: 'agreed', primary, shadow }, 0);
      if (primary !== shadow || primary === 'other')
        comparisons.inc({ result: 'differed', primary, shadow }, 0);
    }
  return {
    countOutcome: (outcome: ShadowOutcome) => calls.inc({ outcome }),
    observeDuration: (durationS: number) => durations.observe(durationS),
    countComparison: ({ result, primary, shadow }: Comparison) =>
      comparisons.inc({ result, primary, shadow }),
  };
};

/** Time budget of a call to the shadow when none is given, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 5_000;
/** Largest response read, in bytes: reading it takes time from everybody whom this process serves. */
const MAX_RESPONSE_BYTES = 1024 * 1024;
/** Calls in flight at once; further ones are dropped. */
const MAX_IN_FLIGHT = 4;

const OUTCOMES: Record<MlFailureCode, ShadowOutcome> = {
  ml_timeout: 'timed_out',
  ml_network: 'failed',
  ml_status: 'failed',
  ml_bad_response: 'invalid',
  ml_too_large: 'invalid',
  ml_circuit_open: 'dropped',
};

interface ShadowOptions {
  /** Address of the second service; undefined: there is none, and all calls go to the first alone. */
  url: string | undefined;
  /** The secret that the shadow shares with us and the first service. */
  tokenSecret: string | Uint8Array;
  registry: Registry;
  logger: Pick<Logger, 'info' | 'warn'>;
  /** Time budget of a call, in milliseconds. */
  timeoutMs?: number | undefined;
  /** How long the shadow is left alone after five failed calls in a row, in milliseconds. */
  breakerPauseMs?: number | undefined;
}

/**
 * A client that has a second service, the shadow, classify what the first one classifies (docs/decisions/066). Its
 * responses are compared and counted, nothing else: callers get those of the first service, with its errors, and never wait
 * for the shadow. Each call to the shadow is one attempt of five seconds at most. At the end of a process nobody waits
 * for those in flight.
 */
export const addShadow = (primary: MlClient, options: ShadowOptions): MlClient => {
  const metrics = createShadowMetrics(options.registry);
  if (options.url === undefined) return primary;
  const shadow = createMlClient({
    baseUrl: options.url,
    tokenSecret: options.tokenSecret,
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    breakerPauseMs: options.breakerPauseMs,
    maxAttempts: 1,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    onBreakerChange: (state) => {
      isFailing = state !== 'closed';
    },
  });
  let inFlight = 0;
  let isFailing = false;
  let isLoggedAsFailing = false;

  /** One line when the shadow begins to fail and one when it is back, however often it is tried in between. */
  const logChange = (error?: unknown): void => {
    if (isFailing === isLoggedAsFailing) return;
    isLoggedAsFailing = isFailing;
    if (isFailing)
      options.logger.warn(
        { err: error },
        'the shadow classification service keeps failing; comparisons are missing',
      );
    else options.logger.info('the shadow classification service is back');
  };

  /** What the shadow suggests; undefined where it sent no usable response. */
  const askShadow = async (
    ...call: Parameters<MlClient['suggest']>
  ): Promise<Map<string, Suggestion[]> | undefined> => {
    if (inFlight >= MAX_IN_FLIGHT) {
      metrics.countOutcome('dropped');
      return undefined;
    }
    inFlight += 1;
    const startedAtMs = performance.now();
    const ended = (outcome: ShadowOutcome) => {
      metrics.countOutcome(outcome);
      if (outcome !== 'dropped') metrics.observeDuration((performance.now() - startedAtMs) / 1_000);
    };
    try {
      const suggestions = await shadow.suggest(...call);
      ended('ok');
      logChange();
      return suggestions;
    } catch (error) {
      ended(error instanceof MlUnavailableError ? OUTCOMES[error.code] : 'failed');
      logChange(error);
      return undefined;
    } finally {
      inFlight -= 1;
    }
  };

  /** Counts for each email whether both agree; without a response of the first service there is nothing to compare. */
  const compare = async (
    ours: Promise<Map<string, Suggestion[]>>,
    theirs: ReturnType<typeof askShadow>,
  ): Promise<void> => {
    const [first, second] = await Promise.all([ours.catch(() => undefined), theirs]);
    if (first === undefined || second === undefined) return;
    for (const [id, suggestions] of first)
      metrics.countComparison(compareSuggestions(suggestions, second.get(id) ?? []));
  };

  return {
    suggest(items, context) {
      const suggestions = primary.suggest(items, context);
      if (items.length > 0) void compare(suggestions, askShadow(items, context));
      return suggestions;
    },
  };
};
