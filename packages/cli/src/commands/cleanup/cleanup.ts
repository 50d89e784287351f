import type { ApiClient, Cleanup, CleanupPlan, RequestOf } from '@mailsweep/client';
import { type Command, Option } from 'commander';
import { type Context, connect } from '../../context.ts';
import { Failure, unlessInterrupted, usageFailure } from '../../failures.ts';
import { collect, probability, wholeNumber } from '../../input/parse.ts';
import { toSenderId } from '../parts/find-sender.ts';
import { type Agreement, carryOut, follow, report, requireAnswer } from './carry-out.ts';

const IN_PROGRESS = ['queued', 'running', 'waiting'];
const RECENT = 100;

/** The cleanup that the id names, or the newest one in one of these states. */
const findCleanup = async (
  { terminal: { signal } }: Context,
  client: ApiClient,
  id: string | undefined,
  states: readonly string[],
): Promise<Cleanup> => {
  if (id !== undefined) return client.getCleanup({ params: { id }, signal });
  const { data } = await client.listCleanups({ query: { perPage: RECENT }, signal });
  const found = data.find(({ state }) => states.includes(state));
  if (found) return found;
  throw new Failure('nothing_to_follow', `There is no cleanup that is ${states.join(' or ')}.`);
};

const followOne = async (context: Context, id: string | undefined): Promise<void> => {
  const { client } = await connect(context);
  const cleanup = await findCleanup(context, client, id, IN_PROGRESS);
  report(context, await follow(context, client, cleanup));
};

const resumeOne = async (context: Context, id: string | undefined): Promise<void> => {
  const { client } = await connect(context);
  const cleanup = await findCleanup(context, client, id, ['paused']);
  const begin = () => client.resumeCleanup({ params: { id: cleanup.id } });
  report(context, await follow(context, client, cleanup, begin));
};

/** What can be done with a cleanup that was run. */
const addCleanupControl = (cleanup: Command, context: Context): void => {
  cleanup
    .command('follow')
    .description('follow a cleanup to its end: the newest one that is in progress, or the one that is named')
    .argument('[cleanup]', 'the id of a cleanup')
    .action((id: string | undefined) => followOne(context, id));
  cleanup
    .command('resume')
    .description('go on with a paused cleanup and follow it: the newest one, or the one that is named')
    .argument('[cleanup]', 'the id of a cleanup')
    .action((id: string | undefined) => resumeOne(context, id));
};

type CleanupRequest = RequestOf<'createCleanup'>['body'];
type Selection = CleanupRequest['selection'];
type Filters = Extract<Selection, { type: 'filter' }>;

interface SelectionOptions {
  sender?: string[];
  suggestions?: true;
  classification?: string;
  minAcceptance?: number;
  minConfidence?: number;
  scope?: 'inbox' | 'all';
  unread?: true;
  olderThan?: number;
  keepNewest?: number;
  category?: NonNullable<Filters['category']>;
  minAttachment?: number;
  search?: string;
}

/** The kinds of selections, with the options that each takes. */
const TAKEN: Record<'filter' | 'senders' | 'suggestions', (keyof SelectionOptions)[]> = {
  filter: ['scope', 'unread', 'olderThan', 'keepNewest', 'category', 'minAttachment', 'search'],
  senders: ['sender', 'olderThan', 'keepNewest'],
  suggestions: ['suggestions', 'classification', 'minAcceptance', 'minConfidence', 'sender', 'olderThan'],
};

const toFlag = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const chooseKind = (action: string, options: SelectionOptions): keyof typeof TAKEN => {
  const { suggestions, classification, minAcceptance, minConfidence, sender } = options;
  const isOfSuggestions = [suggestions, classification, minAcceptance, minConfidence].some(
    (value) => value !== undefined,
  );
  if (isOfSuggestions || (action === 'accept' && !sender)) return 'suggestions';
  return sender ? 'senders' : 'filter';
};

/**
 * What a cleanup takes by its options, whose combination is checked before anything is requested.
 *
 * @throws Failure
 */
const toSelection = async (
  action: string,
  options: SelectionOptions,
  client: ApiClient,
  signal: AbortSignal,
): Promise<Selection> => {
  const kind = chooseKind(action, options);
  const given = Object.keys(options) as (keyof SelectionOptions)[];
  const stray = given.find((name) => !TAKEN[kind].includes(name));
  if (stray) {
    const others = given.filter((name) => TAKEN[kind].includes(name)).map(toFlag);
    const what = others.length > 0 ? others.join(', ') : `the action ${action}`;
    throw usageFailure(`${toFlag(stray)} can't be combined with ${what}.`);
  }
  if (given.length === 0 && kind === 'filter')
    throw usageFailure(
      'Say which emails, for example with --category promotions or --sender name@example.com.',
    );
  const { olderThan, keepNewest, search } = options;
  if (keepNewest !== undefined && (action === 'accept' || (kind === 'filter' && search === undefined)))
    throw usageFailure(
      '--keep-newest needs --sender, or --search with one address or list alone, and another action than accept.',
    );
  if (kind === 'filter') {
    const { minAttachment, ...filters } = options as Omit<Filters, 'type'> & { minAttachment?: number };
    return {
      ...filters,
      type: 'filter',
      ...(minAttachment !== undefined && { minAttachmentSize: minAttachment }),
    };
  }
  const names = options.sender ?? [];
  if (kind === 'suggestions' && names.length > 1)
    throw usageFailure('--sender can be given once beside options of suggestions.');
  const senders: string[] = [];
  for (const name of names) senders.push(await toSenderId(client, name, signal));
  const age = olderThan === undefined ? {} : { olderThan };
  if (kind === 'senders')
    return { type: 'senders', senders, ...age, ...(keepNewest !== undefined && { keepNewest }) };
  const { sender: _names, suggestions: _flag, olderThan: _age, ...filters } = options;
  const [sender] = senders;
  return {
    type: 'suggestions',
    ...(filters as Pick<SelectionOptions, 'classification' | 'minAcceptance' | 'minConfidence'>),
    ...age,
    ...(sender !== undefined && { sender }),
  };
};

type Action = RequestOf<'createCleanup'>['body']['action'];
const ACTIONS: Action[] = ['archive', 'delete', 'mark_read', 'mark_unread', 'label', 'accept'];
const CATEGORIES = ['promotions', 'social', 'updates', 'forums', 'primary'];
const MOST_DAYS = 36_500;
const MOST_MEGABYTES = 10_000;
const MOST_KEPT = 100;

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
    .option(
      '--keep-newest <n>',
      'all but so many of the newest, of each --sender or of a --search for one',
      wholeNumber(1, MOST_KEPT),
    )
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
