import { startAtZero } from '@mailsweep/service-kit';
import { Counter, Histogram, type Registry } from 'prom-client';
import { COMPARED_ACTIONS, type Comparison } from './compare-suggestions.ts';

const SHADOW_OUTCOMES = ['ok', 'failed', 'timed_out', 'invalid', 'dropped'] as const;
/** How a call to the shadow ended; `dropped`: it was not made. */
export type ShadowOutcome = (typeof SHADOW_OUTCOMES)[number];

/** Upper ends of the buckets of call times, in seconds; a call has five. */
const DURATION_BUCKETS_S = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Registers the metrics of the shadow classification service; labels hold no word of a service's own. */
export const createShadowMetrics = (registry: Registry) => {
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
