import type { ApiClient, Cleanup } from '@mailsweep/client';
import type { Command } from 'commander';
import { type Context, connect } from '../../context.ts';
import { EXIT, Failure } from '../../failures.ts';
import { follow, report } from './carry-out.ts';

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
  throw new Failure('nothing_to_follow', EXIT.error, `There is no cleanup that is ${states.join(' or ')}.`);
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
export const addCleanupControl = (cleanup: Command, context: Context): void => {
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
