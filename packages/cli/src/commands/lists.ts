import type { ActionBatch, Sender, SuggestionGroup } from '@mailsweep/client';
import { type Command, Option } from 'commander';
import type { Context } from '../context.ts';
import { countOf, toNumber, toSize, toTime } from '../output/text.ts';
import { addGroupOptions, type GroupOptions, limitOption, noteScan, readList } from './parts/listing.ts';
import { describeActions, describeDone } from './parts/words.ts';

interface HistoryOptions {
  undoable?: true;
  search?: string;
  limit: number;
}

const toBatchRow = (batch: ActionBatch): string[] => [
  batch.id,
  toTime(batch.startedAt),
  describeDone(batch.action),
  toNumber(batch.total),
  toNumber(batch.undone),
  batch.senders.top.map(({ from }) => from).join(', '),
];

const listHistory = async (context: Context, options: HistoryOptions): Promise<void> => {
  const batches = await readList(context, options, (client) => client.listActionBatches);
  if (batches === undefined) return;
  const { output } = context;
  if (batches.data.length === 0) output.line('There is nothing to list.');
  else output.table(['BATCH', 'WHEN', 'WHAT', 'EMAILS', 'UNDONE', 'SENDERS'], batches.data.map(toBatchRow));
};

export const addHistory = (program: Command, context: Context): void => {
  program
    .command('history')
    .description('list what was done, newest first; undo takes the id of a batch')
    .option('--undoable', 'only what can be undone')
    .option('--search <words>', 'only batches with an email whose sender and subject have these words')
    .addOption(limitOption())
    .action((options: HistoryOptions) => listHistory(context, options));
};

const SENDER_GROUPINGS = ['address', 'domain', 'list'] as const;
const SENDER_ORDERS = ['mails', 'inInbox', 'unread', 'bytes', 'lastSeen', 'lastRead', 'suggested'] as const;

interface SenderOptions {
  by?: (typeof SENDER_GROUPINGS)[number];
  sort: (typeof SENDER_ORDERS)[number];
  search?: string;
  limit: number;
}

const toSenderRow = (sender: Sender): string[] => [
  sender.group?.name ?? sender.from,
  toNumber(sender.mails),
  toNumber(sender.unread),
  toSize(sender.bytes),
  toNumber(sender.suggested),
  toTime(sender.lastSeen),
  sender.protected ? 'protected' : '',
];

const listSenders = async (context: Context, options: SenderOptions): Promise<void> => {
  const senders = await readList(context, options, (client) => client.listSenders);
  if (senders === undefined) return;
  const { output } = context;
  const head = ['SENDER', 'EMAILS', 'UNREAD', 'SIZE', 'SUGGESTED', 'LAST EMAIL', ''];
  if (senders.data.length === 0) output.line('There are no senders.');
  else output.table(head, senders.data.map(toSenderRow));
  noteScan(output, senders);
};

export const addSenders = (program: Command, context: Context): void => {
  program
    .command('senders')
    .description('list who sends you email')
    .addOption(
      new Option('--by <what>', 'what is one sender; an address if left out').choices(SENDER_GROUPINGS),
    )
    .addOption(
      new Option('--sort <order>', 'what to order by, the most first')
        .choices(SENDER_ORDERS)
        .default('mails'),
    )
    .option('--search <words>', 'only senders whose name and address have these words')
    .addOption(limitOption())
    .action((options: SenderOptions) => listSenders(context, options));
};

const toGroupRow = (group: SuggestionGroup): string[] => [
  group.from ?? group.classification ?? group.key,
  toNumber(group.emails),
  toSize(group.sizeBytes),
  describeActions(group.actions),
  `${Math.round(group.leastAcceptance * 100)} %`,
];

const listSuggestions = async (context: Context, options: GroupOptions): Promise<void> => {
  const groups = await readList(context, options, (client) => client.listSuggestionGroups);
  if (groups === undefined) return;
  const { output } = context;
  const { sure, likely, check } = groups.confidence;
  output.line(
    `${countOf(groups.emails, 'email')} with suggestions in ${countOf(groups.total, 'group')}; by how likely you accept them: ${toNumber(sure)} sure, ${toNumber(likely)} likely, ${toNumber(check)} to check.`,
  );
  const by = options.by === 'sender' ? 'SENDER' : 'CLASSIFICATION';
  if (groups.data.length > 0)
    output.table([by, 'EMAILS', 'SIZE', 'SUGGESTED', 'ACCEPTED FROM'], groups.data.map(toGroupRow));
  noteScan(output, groups);
};

export const addSuggestions = (program: Command, context: Context): void => {
  const command = program.command('suggestions').description('list what is suggested, in groups');
  addGroupOptions(command).action((options: GroupOptions) => listSuggestions(context, options));
};
