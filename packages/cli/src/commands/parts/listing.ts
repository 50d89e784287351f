import { listPages } from '@mailsweep/client';
import { Option } from 'commander';
import { wholeNumber } from '../../input/parse.ts';

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
export type Listed<P extends Page> = Omit<P, 'page' | 'perPage'>;

export const limitOption = (): Option =>
  new Option('--limit <n>', 'how many to list').argParser(wholeNumber(1, MOST)).default(DEFAULT_LIMIT);

/** Reads as many pages as the limit needs. */
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
