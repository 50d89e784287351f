import { type ApiClient, listPages } from '@mailsweep/client';
import { type Command, Option } from 'commander';
import { type Context, connect } from '../../context.ts';
import { probability, wholeNumber } from '../../input/parse.ts';
import type { Output } from '../../output/output.ts';

/** Which groups of suggestions a command takes. */
export interface GroupOptions {
  by: 'sender' | 'classification';
  minAcceptance?: number;
  minConfidence?: number;
  limit: number;
}

export const addGroupOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--by <grouping>', 'what to group by')
        .choices(['sender', 'classification'])
        .default('sender'),
    )
    .option('--min-acceptance <p>', 'only what you accept with at least this probability', probability)
    .option('--min-confidence <p>', 'only what the classification is at least this sure of', probability)
    .addOption(limitOption());

/** Says where a list may lack email because no scan has looked at the whole mailbox, or one did so long ago. */
export const noteScan = (output: Output, scan: { complete: boolean; scannedAt: string | null }): void => {
  if (scan.complete) return;
  const why = scan.scannedAt === null ? 'No scan has looked at' : 'Much has changed since a scan looked at';
  output.note(`${why} the whole mailbox. Start one with: mailsweep scan`);
};

const DEFAULT_LIMIT = 20;
const MOST = 100_000;
const LARGEST_PAGE = 100;

interface Page {
  total: number;
  page: number;
  perPage: number;
  data: readonly unknown[];
}

/** What a list is printed as with `--json`: the first items, and whatever its pages say of all of them. */
type Listed<P extends Page> = Omit<P, 'page' | 'perPage'>;

export const limitOption = (): Option =>
  new Option('--limit <n>', 'how many to list').argParser(wholeNumber(1, MOST)).default(DEFAULT_LIMIT);

export const listUpTo = async <Q extends object, P extends Page>(
  list: (request: { query: Q & { perPage: number } }) => Promise<P>,
  query: Q,
  limit: number,
): Promise<Listed<P>> => {
  const perPage = Math.min(limit, LARGEST_PAGE);
  const pages: P[] = [];
  for await (const page of listPages(list, { query: { ...query, perPage } })) {
    pages.push(page);
    if (pages.length * perPage >= limit) break;
  }
  const { page: _page, perPage: _perPage, ...rest } = pages.at(-1) as P;
  return { ...rest, data: pages.flatMap(({ data }) => data).slice(0, limit) };
};

/** Reads a list as far as the limit goes. @returns undefined where it was printed, as JSON */
export const readList = async <Q extends { limit: number }, P extends Page>(
  context: Context,
  { limit, ...query }: Q,
  listOf: (
    client: ApiClient,
  ) => (request: { query: Omit<Q, 'limit'> & { perPage: number }; signal: AbortSignal }) => Promise<P>,
): Promise<Listed<P> | undefined> => {
  const { output, terminal } = context;
  const list = listOf((await connect(context)).client);
  const listed = await listUpTo((request) => list({ ...request, signal: terminal.signal }), query, limit);
  if (!output.isJson) return listed;
  output.document(listed);
  return undefined;
};
