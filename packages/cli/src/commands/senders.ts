import type { Sender } from '@mailsweep/client';
import { type Command, Option } from 'commander';
import { type Context, connect } from '../context.ts';
import { toNumber, toSize, toTime } from '../output/text.ts';
import { limitOption, listUpTo } from './parts/listing.ts';
import { noteScan } from './parts/note-scan.ts';

interface Options {
  sort: 'mails' | 'unread' | 'bytes' | 'lastSeen' | 'suggested';
  search?: string;
  limit: number;
}

const toRow = (sender: Sender): string[] => [
  sender.from,
  toNumber(sender.mails),
  toNumber(sender.unread),
  toSize(sender.bytes),
  toNumber(sender.suggested),
  toTime(sender.lastSeen),
  sender.protected ? 'protected' : '',
];

const listSenders = async (context: Context, { limit, ...query }: Options): Promise<void> => {
  const { output, terminal } = context;
  const { client } = await connect(context);
  const senders = await listUpTo(
    (request) => client.listSenders({ ...request, signal: terminal.signal }),
    query,
    limit,
  );
  if (output.isJson) return output.document(senders);
  if (senders.data.length === 0) output.line('There are no senders.');
  else
    output.table(
      ['SENDER', 'EMAILS', 'UNREAD', 'SIZE', 'SUGGESTED', 'LAST EMAIL', ''],
      senders.data.map(toRow),
    );
  noteScan(output, senders);
};

export const addSenders = (program: Command, context: Context): void => {
  program
    .command('senders')
    .description('list who sends you email')
    .addOption(
      new Option('--sort <order>', 'what to order by, the most first')
        .choices(['mails', 'unread', 'bytes', 'lastSeen', 'suggested'])
        .default('mails'),
    )
    .option('--search <words>', 'only senders whose name and address have these words')
    .addOption(limitOption())
    .action((options: Options) => listSenders(context, options));
};
