import { type ApiClient, followScan, type Scan } from '@mailsweep/client';
import { type Command, Option } from 'commander';
import { type Context, connect } from '../context.ts';
import { Failure, unlessInterrupted } from '../failures.ts';
import { countOf, toDuration, toNumber } from '../output/text.ts';
import { describeFault, toBar, toProgressOptions } from './parts/words.ts';

interface Options {
  scope: 'all' | 'inbox';
}

const describeProgress = (scan: Scan): string => {
  if (scan.state === 'waiting') return `Waiting: ${describeFault(scan.error ?? 'failed')}`;
  if (scan.total === 0) return 'Counting the emails …';
  const rest = scan.etaSeconds === null ? '' : `, about ${toDuration(scan.etaSeconds)} left`;
  return `${toBar(scan.scanned, scan.total)}, ${toNumber(scan.suggested)} with suggestions${rest}`;
};

const follow = async ({ output, terminal }: Context, client: ApiClient, started: Scan): Promise<Scan> => {
  let last = started;
  for await (const scan of followScan(client, started.id, toProgressOptions(terminal))) {
    last = scan;
    const isFinished = scan.finishedAt !== null;
    if (output.isJson) output.event({ event: isFinished ? 'finished' : 'progress', scan });
    else if (!isFinished) output.progress(describeProgress(scan));
  }
  return last;
};

const scanMailbox = async (context: Context, { scope }: Options): Promise<void> => {
  const { output, terminal } = context;
  const { client } = await connect(context);
  const started = await client.startScan({ body: { scope } });
  if (!output.isJson && started.startedAt !== null)
    output.note(`A scan ${started.scope === 'inbox' ? 'of the inbox ' : ''}is in progress; this follows it.`);
  const scan = await unlessInterrupted(
    terminal.signal,
    'The scan goes on on the server. Follow it again with: mailsweep scan',
    () => follow(context, client, started),
  );
  if (scan.state !== 'completed') {
    const reason = scan.error === null ? '' : `: ${describeFault(scan.error)}`;
    throw new Failure(
      `scan_${scan.state}`,
      `The scan ${scan.state === 'cancelled' ? 'was cancelled' : 'failed'}${reason}.`,
    );
  }
  if (output.isJson) return;
  output.line(
    { text: 'Done: ', style: 'green' },
    `${countOf(scan.scanned, 'email')} scanned, ${toNumber(scan.suggested)} with suggestions. See them with: mailsweep suggestions`,
  );
  if (scan.unclassified > 0)
    output.note(`${countOf(scan.unclassified, 'email')} could not be classified; the next scan tries again.`);
};

export const addScan = (program: Command, context: Context): void => {
  program
    .command('scan')
    .description('scan the mailbox and follow it to its end, or the scan that is in progress')
    .addOption(new Option('--scope <scope>', 'what to scan').choices(['all', 'inbox']).default('all'))
    .action((options: Options) => scanMailbox(context, options));
};
