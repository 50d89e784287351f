import type { ActionBatch } from '@mailsweep/client';
import type { Command } from 'commander';
import { type Context, connect } from '../context.ts';
import { toNumber, toTime } from '../output/text.ts';
import { limitOption, listUpTo } from './parts/listing.ts';
import { describeDone } from './parts/words.ts';

interface Options {
  undoable?: true;
  search?: string;
  limit: number;
}

const toRow = (batch: ActionBatch): string[] => [
  batch.id,
  toTime(batch.startedAt),
  describeDone(batch.action),
  toNumber(batch.total),
  toNumber(batch.undone),
  batch.senders.top.map(({ from }) => from).join(', '),
];

const listHistory = async (context: Context, { limit, ...query }: Options): Promise<void> => {
  const { output, terminal } = context;
  const { client } = await connect(context);
  const batches = await listUpTo(
    (request) => client.listActionBatches({ ...request, signal: terminal.signal }),
    query,
    limit,
  );
  if (output.isJson) return output.document(batches);
  if (batches.data.length === 0) output.line('There is nothing to list.');
  else output.table(['BATCH', 'WHEN', 'WHAT', 'EMAILS', 'UNDONE', 'SENDERS'], batches.data.map(toRow));
};

export const addHistory = (program: Command, context: Context): void => {
  program
    .command('history')
    .description('list what was done, newest first; undo takes the id of a batch')
    .option('--undoable', 'only what can be undone')
    .option('--search <words>', 'only batches with an email whose sender and subject have these words')
    .addOption(limitOption())
    .action((options: Options) => listHistory(context, options));
};
