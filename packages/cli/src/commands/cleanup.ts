import {
  type ApiClient,
  type Cleanup,
  type CleanupPlan,
  followCleanup,
  type RequestOf,
} from '@mailsweep/client';
import { type Command, Option } from 'commander';
import { type Context, connect } from '../context.ts';
import { EXIT, Failure, refused, unlessInterrupted, usageFailure } from '../failures.ts';
import { confirm } from '../input/ask.ts';
import { probability, wholeNumber } from '../input/parse.ts';
import { describePlan, describeResult, printPlan } from './cleanup-plan.ts';
import { type SelectionOptions, toSelection } from './cleanup-selection.ts';
import { toBar, toProgressOptions } from './following.ts';
import { describeFault } from './words.ts';

type Action = RequestOf<'createCleanup'>['body']['action'];
const ACTIONS: Action[] = ['archive', 'delete', 'mark_read', 'mark_unread', 'label', 'accept'];
const CATEGORIES = ['promotions', 'social', 'updates', 'forums', 'primary'];
const MOST_DAYS = 36_500;
const MOST_MEGABYTES = 10_000;

interface Options extends SelectionOptions {
  label?: string;
  yes?: true;
  dryRun?: true;
}

const plan = async (
  { terminal: { signal } }: Context,
  client: ApiClient,
  action: Action,
  { label, yes: _yes, dryRun: _dryRun, ...chosen }: Options,
): Promise<CleanupPlan> =>
  unlessInterrupted(signal, 'Nothing was changed.', async () => {
    const selection = await toSelection(action, chosen, client, signal);
    const body = { action, selection, ...(label !== undefined && { label }) };
    return client.createCleanup({ body, signal });
  });

/** Plans that nobody runs expire by themselves: an error here changes nothing. */
const discard = (client: ApiClient, { id }: Cleanup): Promise<unknown> =>
  client.cancelCleanup({ params: { id } }).catch(() => undefined);

const describeProgress = (cleanup: Cleanup): string =>
  cleanup.state === 'waiting'
    ? `Waiting: ${describeFault(cleanup.error ?? 'failed')}`
    : toBar(cleanup.processed, cleanup.total);

/** What follows only once its user has done something. */
const WAITING_FOR_USER = ['paused', 'awaiting_confirmation'];

/** @returns the cleanup once it is finished, or waits for its user */
const follow = async ({ output, terminal }: Context, client: ApiClient, begun: Cleanup): Promise<Cleanup> => {
  let last = begun;
  for await (const cleanup of followCleanup(client, begun.id, toProgressOptions(terminal))) {
    last = cleanup;
    const hasEnded = cleanup.finishedAt !== null || WAITING_FOR_USER.includes(cleanup.state);
    if (output.isJson) output.event({ event: hasEnded ? 'finished' : 'progress', cleanup });
    else if (!hasEnded) output.progress(describeProgress(cleanup));
    // It would be followed until somebody resumes or confirms it.
    if (hasEnded) break;
  }
  return last;
};

const report = ({ output }: Context, cleanup: Cleanup): void => {
  if (cleanup.state === 'awaiting_confirmation')
    throw new Failure(
      'awaiting_confirmation',
      EXIT.refused,
      'Nothing was changed yet: this token asks you first. Confirm the cleanup in the web app.',
    );
  const undo = `Undo it with: mailsweep undo ${cleanup.batchId}`;
  if (cleanup.state !== 'completed') {
    const why = cleanup.error === null ? '' : ` (${describeFault(cleanup.error)})`;
    const rest = cleanup.state === 'paused' ? ' Resume it in the web app.' : '';
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

const checkUse = ({ output, terminal }: Context, action: Action, { label, yes, dryRun }: Options): void => {
  if ((action === 'label') !== (label !== undefined))
    throw usageFailure('The action label needs --label, and no other action takes it.');
  if (yes && dryRun) throw usageFailure("--yes can't be combined with --dry-run.");
  if (!(yes || dryRun) && (output.isJson || !terminal.stdin.isTTY))
    throw usageFailure(
      'Nobody can be asked here: add --yes to run the cleanup, or --dry-run to see its plan.',
    );
};

const cleanUp = async (context: Context, action: Action, options: Options): Promise<void> => {
  const { output, terminal } = context;
  checkUse(context, action, options);
  const { client } = await connect(context);
  const planned = await plan(context, client, action, options);
  if (output.isJson) output.event({ event: 'planned', cleanup: planned });
  else printPlan(output, planned);
  if (options.dryRun || planned.total === 0) {
    await discard(client, planned);
    if (!output.isJson) output.note(options.dryRun ? 'Nothing was changed.' : 'There is nothing to do.');
    return;
  }
  if (!options.yes && !(await confirm(terminal, `${describePlan(planned)}?`))) {
    await discard(client, planned);
    throw refused('Nothing was changed.');
  }
  const ended = await unlessInterrupted(
    terminal.signal,
    `The cleanup goes on on the server. See what it did with: mailsweep history. Undo it with: mailsweep undo ${planned.batchId}`,
    async () => follow(context, client, await client.runCleanup({ params: { id: planned.id } })),
  );
  report(context, ended);
};

const collect = (value: string, others: string[] = []): string[] => [...others, value];

export const addCleanup = (program: Command, context: Context): void => {
  const command = program
    .command('cleanup')
    .description('show what would be done to which emails, ask, and do it')
    .argument('<action>', ACTIONS.join(', '))
    .option('--sender <address>', 'email of this sender, by address or id; may be repeated', collect)
    .option('--suggestions', 'email with suggestions')
    .option('--classification <name>', 'email with suggestions of this classification')
    .option(
      '--min-acceptance <p>',
      'with suggestions that you accept with at least this probability',
      probability,
    )
    .option('--min-confidence <p>', 'with suggestions of at least this confidence', probability)
    .addOption(new Option('--category <name>', 'email of this category').choices(CATEGORIES))
    .option('--older-than <days>', 'only email older than this', wholeNumber(0, MOST_DAYS))
    .option('--unread', 'only unread email')
    .option('--min-attachment <mb>', 'only larger attachments', wholeNumber(0, MOST_MEGABYTES))
    .option('--search <words>', 'what this search finds, with the operators of Gmail')
    .addOption(new Option('--scope <scope>', 'where to look (default: inbox)').choices(['inbox', 'all']))
    .option('--label <name>', 'the label to add')
    .option('--dry-run', 'show the plan only')
    .option('--yes', 'do not ask');
  command.action((action: string, options: Options) => {
    const known = ACTIONS.find((name) => name === action.replace('-', '_'));
    if (!known) throw usageFailure(`There is no action ${action}. There are: ${ACTIONS.join(', ')}.`);
    return cleanUp(context, known, options);
  });
};
