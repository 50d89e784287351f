import type { ApiClient, Unsubscribe } from '@mailsweep/client';
import type { Command } from 'commander';
import { type Context, connect } from '../context.ts';
import { Failure, refused, usageFailure } from '../failures.ts';
import { confirm } from '../input/ask.ts';
import { toSenderId } from './parts/find-sender.ts';

const DONE: Partial<Record<NonNullable<Unsubscribe['state']>, string>> = {
  requested: 'The request is on its way.',
  accepted: 'The sender has accepted it.',
};

/** @throws Failure where Mailsweep cannot do it */
const requireOneClick = ({ method, link, mailto }: Unsubscribe): void => {
  if (method === 'one_click') return;
  if (method === null)
    throw new Failure('unsubscribe_not_offered', 'No email of this sender offers to unsubscribe.');
  throw new Failure(
    'unsubscribe_manual',
    `Only you can unsubscribe from this sender: ${[link && `open ${link}`, mailto && `write to ${mailto}`].filter(Boolean).join(', or ')}`,
  );
};

const request = async (
  context: Context,
  client: ApiClient,
  id: string,
  host: string | null,
): Promise<Unsubscribe> => {
  const { signal } = context.terminal;
  const params = { id };
  const outcome = await client.unsubscribe({ params, body: { host }, signal });
  if (outcome.state === 'requested' || outcome.state === 'accepted') return outcome;
  throw new Failure(
    'unsubscribe_failed',
    `The sender was asked, and did not accept it (${(outcome.error ?? outcome.state ?? 'no state').replaceAll('_', ' ')}).`,
  );
};

const unsubscribe = async (context: Context, sender: string, isAgreed: boolean): Promise<void> => {
  const { output, terminal } = context;
  if (!isAgreed && (output.isJson || !terminal.stdin.isTTY))
    throw usageFailure('Nobody can be asked here: add --yes.');
  const { client } = await connect(context);
  const id = await toSenderId(client, sender, terminal.signal);
  const offer = await client.getUnsubscribe({ params: { id }, signal: terminal.signal });
  requireOneClick(offer);
  const question = `Ask ${offer.host ?? 'the sender'} to send you no more email as ${sender}? It can't be undone.`;
  if (!isAgreed && !(await confirm(terminal, question))) throw refused('Nobody was asked.');
  const outcome = await request(context, client, id, offer.host);
  if (output.isJson) return output.document(outcome);
  output.line({ text: 'Done: ', style: 'green' }, DONE[outcome.state ?? 'requested'] ?? '');
};

export const addUnsubscribe = (program: Command, context: Context): void => {
  program
    .command('unsubscribe')
    .description('ask a sender to send you no more email')
    .argument('<sender>', 'the address or the id of a sender')
    .option('--yes', 'do not ask')
    .action((sender: string, { yes }: { yes?: true }) => unsubscribe(context, sender, yes === true));
};
