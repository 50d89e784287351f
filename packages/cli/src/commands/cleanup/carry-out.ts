import { type ApiClient, type Cleanup, type CleanupPlan, followCleanup } from '@mailsweep/client';
import type { Context } from '../../context.ts';
import { EXIT, Failure, refused, unlessInterrupted, usageFailure } from '../../failures.ts';
import { confirm } from '../../input/ask.ts';
import { toBar, toProgressOptions } from '../parts/following.ts';
import { describeFault } from '../parts/words.ts';
import { describePlan, describeResult, printPlan } from './cleanup-plan.ts';

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
      EXIT.refused,
      'Nothing was changed yet: this token asks you first. Confirm the cleanup in the web app.',
    );
  const undo = `Undo it with: mailsweep undo ${cleanup.batchId}`;
  if (cleanup.state !== 'completed') {
    const why = cleanup.error === null ? '' : ` (${describeFault(cleanup.error)})`;
    const rest = cleanup.state === 'paused' ? ` Resume it with: mailsweep cleanup resume ${cleanup.id}` : '';
    throw new Failure(
      `cleanup_${cleanup.state}`,
      EXIT.error,
      `The cleanup is ${cleanup.state}${why}: ${describeResult(cleanup)}.${rest} ${undo}`,
    );
  }
  if (cleanup.failed > 0)
    throw new Failure('emails_failed', EXIT.error, `Not all was done: ${describeResult(cleanup)}. ${undo}`);
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
