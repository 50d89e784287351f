import { type ApiClient, listItems, ProblemError, type Unsubscribe } from '@mailsweep/client';
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

/** The id of a domain or a mailing list, as `senders --by` lists it. */
const GROUP_ID = /^f{16}/;

/** Unsubscribes from each sender of a group that offers it and was not asked. */
const unsubscribeGroup = async (context: Context, client: ApiClient, id: string, isAgreed: boolean) => {
  const { output, terminal } = context;
  const { signal } = terminal;
  const offers: { id: string; from: string; host: string | null }[] = [];
  let members = 0;
  for await (const sender of listItems(client.listSenders, { query: { group: id, perPage: 100 }, signal })) {
    members += 1;
    const { method, state, host } = sender.unsubscribe ?? {};
    if (method === 'one_click' && !Object.hasOwn(DONE, state ?? ''))
      offers.push({ id: sender.id, from: sender.from, host: host ?? null });
  }
  if (offers.length === 0)
    throw new Failure('unsubscribe_not_offered', 'No sender of this group can be asked.');
  const hosts = [...new Set(offers.map(({ host }) => host))].join(', ');
  const question = `Ask ${offers.length} of ${members} senders (${hosts}) to send you no more email? It can't be undone.`;
  if (!isAgreed && !(await confirm(terminal, question))) throw refused('Nobody was asked.');
  const asked: { id: string; from: string; state: string; error: string | null }[] = [];
  for (const { id: member, from, host } of offers) {
    const outcome = await client
      .unsubscribe({ params: { id: member }, body: { host }, signal })
      .catch((error: unknown) => {
        if (error instanceof ProblemError && error.status === 409)
          return { state: 'refused', error: error.code };
        throw error;
      });
    asked.push({ id: member, from, state: outcome.state ?? 'none', error: outcome.error });
  }
  if (output.isJson) output.document({ senders: members, asked });
  else
    output.table(
      ['SENDER', 'STATE'],
      asked.map(({ from, state, error }) => [from, (error ?? state).replaceAll('_', ' ')]),
    );
  const failed = asked.filter(({ state }) => !Object.hasOwn(DONE, state)).length;
  if (failed > 0)
    throw new Failure('unsubscribe_failed', `${failed} of ${asked.length} senders did not accept it.`);
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
  if (GROUP_ID.test(id)) return await unsubscribeGroup(context, client, id, isAgreed);
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
    .argument('<sender>', 'the address or the id of a sender, or the id of a domain or mailing list')
    .option('--yes', 'do not ask')
    .action((sender: string, { yes }: { yes?: true }) => unsubscribe(context, sender, yes === true));
};
