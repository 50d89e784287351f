import { type ApiClient, type Cleanup, type CleanupPlan, followCleanup } from '@mailsweep/client';
import type { Context } from '../../context.ts';
import { EXIT, Failure, refused, unlessInterrupted, usageFailure } from '../../failures.ts';
import { confirm } from '../../input/ask.ts';
import type { Output } from '../../output/output.ts';
import { countOf, toDuration, toNumber, toSize, toTime } from '../../output/text.ts';
import {
  describeActions,
  describeDone,
  describeFault,
  describeReasons,
  describeVerb,
  toBar,
  toProgressOptions,
} from '../parts/words.ts';

const EXAMPLES = 5;

/** @example `Archive 3,362 emails` */
const describePlan = (plan: Cleanup): string => {
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
  const kept = 'keepNewest' in plan.selection && plan.selection.keepNewest;
  if (kept)
    output.line(
      plan.selection.type === 'senders'
        ? `Of each sender the newest ${kept} stay as they are.`
        : `The newest ${kept} stay as they are.`,
    );
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
const describeResult = (cleanup: Cleanup): string => {
  const parts = [`${countOf(cleanup.changed, 'email')} ${describeDone(cleanup.action)}`];
  if (cleanup.unchanged > 0) parts.push(`${toNumber(cleanup.unchanged)} needed no change`);
  if (cleanup.skipped > 0)
    parts.push(`${toNumber(cleanup.skipped)} left alone, as they changed after the plan was made`);
  if (cleanup.failed > 0) parts.push(`${toNumber(cleanup.failed)} failed`);
  return parts.join(', ');
};

export interface Agreement {
  yes?: true;
  dryRun?: true;
}

/** @throws Failure where nobody can be asked, and nobody has said what to do */
export const requireAnswer = ({ output, terminal }: Context, { yes, dryRun }: Agreement): void => {
  if (yes && dryRun) throw usageFailure("--yes can't be combined with --dry-run.");
  if (!(yes || dryRun) && (output.isJson || !terminal.stdin.isTTY))
    throw usageFailure(
      'Nobody can be asked here: add --yes to run the cleanup, or --dry-run to see its plan.',
    );
};

/** Plans that nobody runs expire by themselves: an error here changes nothing. */
export const discard = (client: ApiClient, { id }: Pick<Cleanup, 'id'>): Promise<unknown> =>
  client.cancelCleanup({ params: { id } }).catch(() => undefined);

const describeProgress = (cleanup: Cleanup): string =>
  cleanup.state === 'waiting'
    ? `Waiting: ${describeFault(cleanup.error ?? 'failed')}`
    : toBar(cleanup.processed, cleanup.total);

/** What follows only once its user has done something. */
const WAITING_FOR_USER = ['paused', 'awaiting_confirmation'];

/** Begins or continues a cleanup and follows it. @returns it once it is finished, or waits for its user */
export const follow = (
  { output, terminal }: Context,
  client: ApiClient,
  cleanup: Pick<Cleanup, 'id' | 'batchId'>,
  begin?: () => Promise<Cleanup>,
): Promise<Cleanup> =>
  unlessInterrupted(
    terminal.signal,
    `The cleanup goes on on the server. Follow it with: mailsweep cleanup follow. Undo it with: mailsweep undo ${cleanup.batchId}`,
    async () => {
      await begin?.();
      for await (const state of followCleanup(client, cleanup.id, toProgressOptions(terminal))) {
        const hasEnded = state.finishedAt !== null || WAITING_FOR_USER.includes(state.state);
        if (output.isJson) output.event({ event: hasEnded ? 'finished' : 'progress', cleanup: state });
        else if (!hasEnded) output.progress(describeProgress(state));
        // It would be followed until somebody resumes or confirms it.
        if (hasEnded) return state;
      }
      return client.getCleanup({ params: { id: cleanup.id }, signal: terminal.signal });
    },
  );

/** Says what came of a cleanup. @throws Failure where that is not all that was wanted */
export const report = ({ output }: Context, cleanup: Cleanup): void => {
  if (cleanup.state === 'awaiting_confirmation')
    throw new Failure(
      'awaiting_confirmation',
      'Nothing was changed yet: this token asks you first. Confirm the cleanup in the web app.',
      EXIT.refused,
    );
  const undo = `Undo it with: mailsweep undo ${cleanup.batchId}`;
  if (cleanup.state !== 'completed') {
    const why = cleanup.error === null ? '' : ` (${describeFault(cleanup.error)})`;
    const rest = cleanup.state === 'paused' ? ` Resume it with: mailsweep cleanup resume ${cleanup.id}` : '';
    throw new Failure(
      `cleanup_${cleanup.state}`,
      `The cleanup is ${cleanup.state}${why}: ${describeResult(cleanup)}.${rest} ${undo}`,
    );
  }
  if (cleanup.failed > 0)
    throw new Failure('emails_failed', `Not all was done: ${describeResult(cleanup)}. ${undo}`);
  if (output.isJson) return;
  output.line({ text: 'Done: ', style: 'green' }, `${describeResult(cleanup)}.`);
  if (cleanup.changed > 0) output.line(undo);
};

/** Shows a plan, asks, runs it, and follows it. A plan that is not run is discarded. */
export const carryOut = async (
  context: Context,
  client: ApiClient,
  planned: CleanupPlan,
  { yes, dryRun }: Agreement,
): Promise<void> => {
  const { output, terminal } = context;
  if (output.isJson) output.event({ event: 'planned', cleanup: planned });
  else printPlan(output, planned);
  if (dryRun || planned.total === 0) {
    await discard(client, planned);
    if (!output.isJson) output.note(dryRun ? 'Nothing was changed.' : 'There is nothing to do.');
    return;
  }
  if (!yes && !(await confirm(terminal, `${describePlan(planned)}?`))) {
    await discard(client, planned);
    throw refused('Nothing was changed.');
  }
  const begin = () => client.runCleanup({ params: { id: planned.id } });
  report(context, await follow(context, client, planned, begin));
};
