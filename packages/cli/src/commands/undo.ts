import { setTimeout } from 'node:timers/promises';
import type { ActionBatch, ApiClient } from '@mailsweep/client';
import type { Command } from 'commander';
import { type Context, connect } from '../context.ts';
import { Failure, refused, unlessInterrupted, usageFailure } from '../failures.ts';
import { confirm } from '../input/ask.ts';
import { uuid } from '../input/parse.ts';
import { countOf, toNumber, toTime } from '../output/text.ts';
import { describeDone, toBar } from './parts/words.ts';

const DEFAULT_INTERVAL_MS = 1_000;

const describeBatch = (batch: ActionBatch): string =>
  `${countOf(batch.total, 'email')} ${describeDone(batch.action)}, ${toTime(batch.startedAt)}`;

/** The batch that the id names, or the last one that can be undone. */
const findBatch = async (client: ApiClient, id: string | undefined): Promise<ActionBatch> => {
  const query = id === undefined ? { undoable: true, perPage: 1 } : { batch: id };
  const batch = (await client.listActionBatches({ query })).data[0];
  if (batch) return batch;
  throw id === undefined
    ? new Failure('nothing_to_undo', 'There is nothing to undo.')
    : new Failure('unknown_batch', `There is no batch ${id}. List them with: mailsweep history`);
};

const follow = async (context: Context, client: ApiClient, id: string): Promise<ActionBatch> => {
  const { output, terminal } = context;
  let batch = await client.undoActionBatch({ params: { id } });
  while (batch.undo?.state === 'running') {
    output.progress(toBar(batch.undone, batch.total));
    await setTimeout(terminal.intervalMs ?? DEFAULT_INTERVAL_MS, undefined, { signal: terminal.signal });
    batch = await findBatch(client, id);
  }
  return batch;
};

const undo = async (context: Context, id: string | undefined, isAgreed: boolean): Promise<void> => {
  const { output, terminal } = context;
  // Who names a batch has said which one.
  const isAsking = !isAgreed && id === undefined;
  if (isAsking && (output.isJson || !terminal.stdin.isTTY))
    throw usageFailure('Nobody can be asked here: add --yes, or name the batch.');
  const { client } = await connect(context);
  const batch = await findBatch(client, id);
  if (isAsking && !(await confirm(terminal, `Undo: ${describeBatch(batch)}?`)))
    throw refused('Nothing was changed.');
  const undone = await unlessInterrupted(
    terminal.signal,
    `The undo goes on on the server. See how far it is with: mailsweep undo ${batch.id}`,
    () => follow(context, client, batch.id),
  );
  if (output.isJson) output.document(undone);
  const failed = undone.undo?.failed ?? 0;
  if (failed > 0)
    throw new Failure(
      'emails_failed',
      `${countOf(undone.undone, 'email')} undone; ${toNumber(failed)} could not be, as they changed since, for example.`,
    );
  if (!output.isJson)
    output.line({ text: 'Undone: ', style: 'green' }, `${countOf(undone.undone, 'email')}.`);
};

export const addUndo = (program: Command, context: Context): void => {
  program
    .command('undo')
    .description('undo what was done last, or a batch of the history')
    .argument('[batch]', 'the id of a batch', uuid)
    .option('--yes', 'do not ask')
    .action((id: string | undefined, { yes }: { yes?: true }) => undo(context, id, yes === true));
};
