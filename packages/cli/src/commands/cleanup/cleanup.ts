import type { ApiClient, CleanupPlan, RequestOf } from '@mailsweep/client';
import { type Command, Option } from 'commander';
import { type Context, connect } from '../../context.ts';
import { unlessInterrupted, usageFailure } from '../../failures.ts';
import { probability, wholeNumber } from '../../input/parse.ts';
import { type Agreement, carryOut, requireAnswer } from './carry-out.ts';
import { addCleanupControl } from './cleanup-control.ts';
import { type SelectionOptions, toSelection } from './cleanup-selection.ts';

type Action = RequestOf<'createCleanup'>['body']['action'];
const ACTIONS: Action[] = ['archive', 'delete', 'mark_read', 'mark_unread', 'label', 'accept'];
const CATEGORIES = ['promotions', 'social', 'updates', 'forums', 'primary'];
const MOST_DAYS = 36_500;
const MOST_MEGABYTES = 10_000;

interface Options extends SelectionOptions, Agreement {
  label?: string;
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

const checkUse = (context: Context, action: Action, { label, yes, dryRun }: Options): void => {
  if ((action === 'label') !== (label !== undefined))
    throw usageFailure('The action label needs --label, and no other action takes it.');
  requireAnswer(context, { ...(yes && { yes }), ...(dryRun && { dryRun }) });
};

const cleanUp = async (context: Context, action: Action, options: Options): Promise<void> => {
  checkUse(context, action, options);
  const { client } = await connect(context);
  const planned = await plan(context, client, action, options);
  await carryOut(context, client, planned, options);
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
    .option('--search <words>', 'what this search finds, with operators such as from: and older_than:')
    .addOption(new Option('--scope <scope>', 'where to look (default: inbox)').choices(['inbox', 'all']))
    .option('--label <name>', 'the label to add')
    .option('--dry-run', 'show the plan only')
    .option('--yes', 'do not ask');
  command.action((action: string, options: Options) => {
    const known = ACTIONS.find((name) => name === action.replace('-', '_'));
    if (!known) throw usageFailure(`There is no action ${action}. There are: ${ACTIONS.join(', ')}.`);
    return cleanUp(context, known, options);
  });
  addCleanupControl(command, context);
};
