import { type ApiClient, listItems, type SuggestionGroup } from '@mailsweep/client';
import type { Command } from 'commander';
import { type Context, connect } from '../context.ts';
import { EXIT, Failure, usageFailure } from '../failures.ts';
import { choose } from '../input/ask.ts';
import { countOf, toNumber, toSize, toTime } from '../output/text.ts';
import { follow, report } from './cleanup/carry-out.ts';
import { addGroupOptions, type GroupOptions, listUpTo, noteScan } from './parts/listing.ts';
import { describeActions, describeReasons } from './parts/words.ts';

/** Emails that one request decides on, and that one page has. */
const MOST_IDS = 1_000;
const LARGEST_PAGE = 100;

const ANSWERS = { a: 'accept', r: 'reject', s: 'skip', q: 'quit' } as const;
const LETTERS = ['a', 'r', 's', 'q'] as const;
type Answer = (typeof ANSWERS)[keyof typeof ANSWERS];

/** What a decision on a group takes: the filters by which it was shown. */
const toFilters = (group: SuggestionGroup, { minAcceptance, minConfidence }: GroupOptions) => ({
  ...(group.by === 'sender' ? { sender: group.key } : { classification: group.key }),
  ...(minAcceptance !== undefined && { minAcceptance }),
  ...(minConfidence !== undefined && { minConfidence }),
});

const nameOf = (group: SuggestionGroup): string => group.from ?? group.classification ?? group.key;

const show = ({ output }: Context, group: SuggestionGroup, position: string): void => {
  output.note(
    { text: `${position}  ${nameOf(group)}`, style: 'bold' },
    group.protected ? ' (protected)' : '',
  );
  output.note(
    `  ${countOf(group.emails, 'email')}, ${toSize(group.sizeBytes)}, the newest of ${toTime(group.newest)}`,
  );
  output.note(
    `  Suggested: ${describeActions(group.actions)}. You accept this in at least ${Math.round(group.leastAcceptance * 100)} % of cases.`,
  );
};

const accept = async (context: Context, client: ApiClient, filters: object): Promise<void> => {
  const { output, terminal } = context;
  const selection = { type: 'suggestions' as const, ...filters };
  const plan = await client.createCleanup({ body: { action: 'accept', selection }, signal: terminal.signal });
  if (output.isJson) output.event({ event: 'planned', cleanup: plan });
  const excluded = describeReasons(plan.excluded);
  if (excluded) output.note({ text: `  Left out: ${excluded}.`, style: 'yellow' });
  if (plan.total === 0) return output.note('  Nothing is left to be done.');
  const begin = () => client.runCleanup({ params: { id: plan.id } });
  report(context, await follow(context, client, plan, begin));
};

/** Rejects as many emails as the group has now. @returns how many */
const reject = async (context: Context, client: ApiClient, filters: object): Promise<void> => {
  const { output, terminal } = context;
  const { signal } = terminal;
  const query = { ...filters, perPage: LARGEST_PAGE };
  const ids: string[] = [];
  for await (const { id } of listItems(client.listStoredSuggestions, { query, signal })) ids.push(id);
  let rejected = 0;
  for (let at = 0; at < ids.length; at += MOST_IDS) {
    const body = { emailIds: ids.slice(at, at + MOST_IDS), action: 'reject' as const };
    rejected += (await client.confirmSuggestions({ body, signal })).processed;
  }
  if (output.isJson) output.event({ event: 'rejected', emails: rejected });
  else output.line(`Rejected for ${countOf(rejected, 'email')}. Nothing was changed in the mailbox.`);
};

/** Decides on one group. What fails for it alone does not end the review. */
const decide = async (
  context: Context,
  client: ApiClient,
  answer: Exclude<Answer, 'quit' | 'skip'>,
  filters: object,
): Promise<boolean> => {
  try {
    await (answer === 'accept' ? accept : reject)(context, client, filters);
    return true;
  } catch (error) {
    if (!(error instanceof Failure) || error.exitCode === EXIT.interrupted) throw error;
    context.output.note({ text: error.message, style: 'red' });
    return false;
  }
};

const review = async (context: Context, options: GroupOptions): Promise<void> => {
  const { output, terminal } = context;
  if (!terminal.stdin.isTTY)
    throw usageFailure('Nobody can be asked here. For scripts, there is: mailsweep cleanup accept --yes');
  const { client } = await connect(context);
  const { limit, ...query } = options;
  const groups = await listUpTo(
    (request) => client.listSuggestionGroups({ ...request, signal: terminal.signal }),
    query,
    limit,
  );
  if (groups.data.length === 0) output.note('Nothing is suggested.');
  const decided = { accept: 0, reject: 0, skip: 0 };
  let failed = 0;
  for (const [index, group] of groups.data.entries()) {
    show(context, group, `${index + 1}/${groups.data.length}`);
    const answer: Answer =
      ANSWERS[
        await choose(terminal, '[a]ccept, [r]eject, [S]kip or [q]uit?', { letters: LETTERS, byDefault: 's' })
      ];
    if (answer === 'quit') break;
    decided[answer] += 1;
    if (output.isJson) output.event({ event: answer, group });
    if (answer !== 'skip' && !(await decide(context, client, answer, toFilters(group, options)))) failed += 1;
  }
  if (output.isJson) output.event({ event: 'finished', decided, failed });
  else {
    output.line(
      `Groups: ${toNumber(decided.accept)} accepted, ${toNumber(decided.reject)} rejected, ${toNumber(decided.skip)} skipped.`,
    );
    noteScan(output, groups);
  }
  if (failed > 0) throw new Failure('groups_failed', `${countOf(failed, 'group')} could not be done.`);
};

export const addReview = (program: Command, context: Context): void => {
  const command = program
    .command('review')
    .description('go through what is suggested, group by group, and accept or reject it');
  addGroupOptions(command).action((options: GroupOptions) => review(context, options));
};
