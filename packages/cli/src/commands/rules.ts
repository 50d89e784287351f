import type { ApiClient, Rule } from '@mailsweep/client';
import { type Command, Option } from 'commander';
import { type Context, connect } from '../context.ts';
import { refused, unlessInterrupted, usageFailure } from '../failures.ts';
import { confirm } from '../input/ask.ts';
import { uuid } from '../input/parse.ts';
import { toNumber, toTime } from '../output/text.ts';
import { carryOut, discard, printPlan, requireAnswer } from './cleanup/carry-out.ts';
import { limitOption, listUpTo } from './parts/listing.ts';
import { describeVerb } from './parts/words.ts';

const describeCondition = ({ condition }: Rule): string => {
  if (condition.type === 'sender') return condition.from || condition.sender;
  if (condition.type === 'classification') return condition.classification;
  return [...condition.senders.map(({ from, sender }) => from || sender), ...condition.classifications].join(
    ', ',
  );
};

const describeState = ({ enabled, pausedReason }: Rule): string => {
  if (enabled) return 'on';
  return pausedReason === null ? 'off' : 'paused itself';
};

/** @example `7 days, not the newest 3` */
const describeAge = ({ olderThan, keepNewest }: Rule): string =>
  (olderThan === 0 ? 'any' : `${olderThan} days`) + (keepNewest ? `, not the newest ${keepNewest}` : '');

const toRow = (rule: Rule): string[] => [
  rule.id,
  describeState(rule),
  describeVerb(rule.action).replace(':', '') + (rule.label === null ? '' : ` "${rule.label}"`),
  describeCondition(rule),
  describeAge(rule),
  toNumber(rule.counts.actions),
  rule.lastRun === null ? 'never' : toTime(rule.lastRun.at),
];

const listRules = async (context: Context, { limit }: { limit: number }): Promise<void> => {
  const { output, terminal } = context;
  const { client } = await connect(context);
  const rules = await listUpTo(
    (request) => client.listRules({ ...request, signal: terminal.signal }),
    {},
    limit,
  );
  if (output.isJson) return output.document(rules);
  if (rules.data.length === 0) output.line('There are no rules. Make one in the web app.');
  else
    output.table(
      ['RULE', 'STATE', 'DOES', 'WITH EMAIL OF', 'OLDER THAN', 'ACTIONS', 'LAST RUN'],
      rules.data.map(toRow),
    );
};

/** What a rule would do now; a plan that is not run expires. */
const preview = ({ terminal: { signal } }: Context, client: ApiClient, id: string) =>
  unlessInterrupted(signal, 'Nothing was changed.', () => client.previewRule({ params: { id }, signal }));

/** Shows what the rule would do now before it is turned on, unless the user has agreed already. */
const agreeToTurnOn = async (context: Context, client: ApiClient, id: string): Promise<void> => {
  const { output, terminal } = context;
  const plan = await preview(context, client, id);
  if (plan.total === 0) output.line('It would do nothing now.');
  else printPlan(output, plan);
  await discard(client, plan);
  if (!(await confirm(terminal, 'Turn it on?'))) throw refused('Nothing was changed.');
};

const turnOn = async (context: Context, id: string, isAgreed: boolean): Promise<void> => {
  const { output, terminal } = context;
  if (!isAgreed && (output.isJson || !terminal.stdin.isTTY))
    throw usageFailure('Nobody can be asked here: add --yes.');
  const { client } = await connect(context);
  if (!isAgreed) await agreeToTurnOn(context, client, id);
  await change(context, client, id, true);
};

const change = async (context: Context, client: ApiClient, id: string, enabled: boolean): Promise<void> => {
  const { output, terminal } = context;
  const { signal } = terminal;
  const rule = await client.updateRule({ params: { id }, body: { enabled }, signal });
  if (output.isJson) return output.document(rule);
  output.line(enabled ? 'The rule is on.' : 'The rule is off.');
  if (!enabled) return;
  const { state } = await client.getWatch({ signal });
  if (state === 'off') output.note('The watch is off, so no rule runs. Turn it on with: mailsweep watch on');
};

interface RunOptions {
  yes?: true;
  dryRun?: true;
}

const run = async (context: Context, id: string, options: RunOptions): Promise<void> => {
  requireAnswer(context, options);
  const { client } = await connect(context);
  await carryOut(context, client, await preview(context, client, id), options);
};

const exportRules = async (
  context: Context,
  ruleId: string | undefined,
  { format }: { format: 'gmail' | 'sieve' },
): Promise<void> => {
  const { output, terminal } = context;
  const { client } = await connect(context);
  const query = { format, ...(ruleId !== undefined && { ruleId }) };
  const file = await client.exportRules({ query, signal: terminal.signal });
  if (output.isJson) return output.document(file);
  for (const line of file.content.trimEnd().split('\n')) output.line(line);
  for (const { ruleId: id, reasons } of file.leftOut) output.note(`Left out: ${id} (${reasons.join(', ')})`);
};

export const addRules = (program: Command, context: Context): void => {
  const rules = program
    .command('rules')
    .description('list rules, turn them on and off, run them, and hand them over');
  rules
    .command('list', { isDefault: true })
    .description('list the rules')
    .addOption(limitOption())
    .action((options: { limit: number }) => listRules(context, options));
  rules
    .command('on')
    .description('show what a rule would do now, ask, and turn it on')
    .argument('<rule>', 'the id of a rule')
    .option('--yes', 'do not ask')
    .action((id: string, { yes }: { yes?: true }) => turnOn(context, id, yes === true));
  rules
    .command('off')
    .description('turn a rule off')
    .argument('<rule>', 'the id of a rule')
    .action(async (id: string) => change(context, (await connect(context)).client, id, false));
  rules
    .command('run')
    .description('show what a rule would do now, ask, and do it')
    .argument('<rule>', 'the id of a rule')
    .option('--dry-run', 'show the plan only')
    .option('--yes', 'do not ask')
    .action((id: string, options: RunOptions) => run(context, id, options));
  rules
    .command('export')
    .description('print rules for Gmail or a mail server, and what cannot be expressed there')
    .argument('[rule]', 'the id of a rule (default: all that are on)', uuid)
    .addOption(
      new Option('--format <format>', 'a file for Gmail, or a Sieve script')
        .choices(['gmail', 'sieve'])
        .makeOptionMandatory(),
    )
    .action((id: string | undefined, options: { format: 'gmail' | 'sieve' }) =>
      exportRules(context, id, options),
    );
};
