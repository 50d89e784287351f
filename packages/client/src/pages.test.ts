import { API_ROUTES, type RouteContract, type Sender } from '@mailsweep/contracts';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { createClient, listItems, listPages } from './index.ts';

/** An API of one list: `respond` gets the query of each request. */
const serveList = (respond: (query: URLSearchParams) => unknown) => {
  const requests: string[] = [];
  const fetch = async (url: unknown): Promise<Response> => {
    const { search, searchParams } = new URL(String(url));
    requests.push(search);
    return Response.json(respond(searchParams));
  };
  return { requests, client: createClient({ baseUrl: 'https://api.example.org', fetch }) };
};

const serveNumbers = (total: number) =>
  serveList((query) => {
    const page = Number(query.get('page') ?? 1);
    const perPage = Number(query.get('perPage') ?? 20);
    const numbers = Array.from({ length: total }, (_nothing, index) => ({ id: `${index + 1}` }));
    return { total, page, perPage, data: numbers.slice((page - 1) * perPage, page * perPage) };
  });

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

describe('the items of a list', () => {
  it('come from all its pages, with the filters of the first', async () => {
    const { requests, client } = serveNumbers(5);
    const senders = await collect(listItems(client.listSenders, { query: { sort: 'bytes', perPage: 2 } }));
    expectTypeOf(senders).toEqualTypeOf<Sender[]>();
    expect(senders.map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5']);
    expect(requests).toEqual([
      '?sort=bytes&perPage=2',
      '?sort=bytes&perPage=2&page=2',
      '?sort=bytes&perPage=2&page=3',
    ]);
  });

  it('come from all pages that name the next one by a token', async () => {
    const { requests, client } = serveList((query) =>
      query.has('pageToken')
        ? { emails: [{ id: 'c' }], nextPageToken: null, total: 3 }
        : { emails: [{ id: 'a' }, { id: 'b' }], nextPageToken: 'more', total: 2 },
    );
    const emails = await collect(listItems(client.listEmails, { query: { unread: true } }));
    expect(emails.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(requests).toEqual(['?unread=true', '?unread=true&pageToken=more']);
  });

  it('need no request to be described where the list needs none', async () => {
    expect(await collect(listItems(serveNumbers(0).client.listRules))).toEqual([]);
  });

  it('are requested no further than they are used', async () => {
    const { requests, client } = serveNumbers(100);
    for await (const { id } of listItems(client.listScans)) if (id === '20') break;
    expect(requests).toHaveLength(1);
  });
});

it('begins with the page that was asked for', async () => {
  const pages = await collect(
    listPages(serveNumbers(5).client.listRules, { query: { page: 2, perPage: 2 } }),
  );
  expect(pages.map(({ page, data }) => [page, data.length])).toEqual([
    [2, 2],
    [3, 1],
  ]);
});

const LISTS = Object.entries<RouteContract>(API_ROUTES).flatMap(([id, { query, response }]) => {
  const taken = Object.keys(query?.shape ?? {});
  if (!taken.includes('page') && !taken.includes('pageToken')) return [];
  return [{ id, byToken: taken.includes('pageToken'), response }];
});

it('finds the lists of the API', () => expect(LISTS.length).toBeGreaterThan(10));

it.each(LISTS)('knows the pages of $id', ({ byToken, response }) => {
  const page = byToken ? ['emails', 'nextPageToken'] : ['total', 'page', 'perPage', 'data'];
  expect((response as { shape?: object }).shape).toMatchObject(
    Object.fromEntries(page.map((name) => [name, expect.anything()])),
  );
});
