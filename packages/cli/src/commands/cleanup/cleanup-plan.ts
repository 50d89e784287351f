import type { Cleanup, CleanupPlan } from '@mailsweep/client';
import type { Output } from '../../output/output.ts';
import { countOf, toDuration, toNumber, toSize, toTime } from '../../output/text.ts';
import { describeActions, describeDone, describeReasons, describeVerb } from '../parts/words.ts';

const EXAMPLES = 5;

/** @example `Archive 3,362 emails` */
export const describePlan = (plan: Cleanup): string => {
  const label = plan.label === null ? '' : ` with "${plan.label}"`;
  return `${describeVerb(plan.action)} ${countOf(plan.total, 'email')}${label}`;
};

export const printPlan = (output: Output, plan: CleanupPlan): void => {
  const size = plan.sizeBytes > 0 ? `, ${toSize(plan.sizeBytes)} as far as known` : '';
  output.line(
    { text: describePlan(plan), style: 'bold' },
    `${size}, in about ${toDuration(plan.durationSeconds)}.`,
  );
  if (plan.action === 'accept') output.line(`By action: ${describeActions(plan.plannedActions)}.`);
  const excluded = describeReasons(plan.excluded);
  if (excluded) output.line({ text: `Left out: ${excluded}.`, style: 'yellow' });
  if (!plan.isComplete)
    output.line({ text: 'These are the newest ones: run it again for the rest.', style: 'yellow' });
  if (plan.sample.length === 0) return;
  output.line('For example:');
  output.table(
    ['  DATE', 'FROM', 'SUBJECT'],
    plan.sample.slice(0, EXAMPLES).map(({ date, from, subject }) => [`  ${toTime(date)}`, from, subject]),
  );
};

/** @example `3,359 emails archived, 3 left alone` */
export const describeResult = (cleanup: Cleanup): string => {
  const parts = [`${countOf(cleanup.changed, 'email')} ${describeDone(cleanup.action)}`];
  if (cleanup.unchanged > 0) parts.push(`${toNumber(cleanup.unchanged)} needed no change`);
  if (cleanup.skipped > 0)
    parts.push(`${toNumber(cleanup.skipped)} left alone, as they changed after the plan was made`);
  if (cleanup.failed > 0) parts.push(`${toNumber(cleanup.failed)} failed`);
  return parts.join(', ');
};
