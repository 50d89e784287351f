import {
  type ApiClient,
  createClient,
  followCleanup,
  followScan,
  isProblem,
  listItems,
  listPages,
} from '@mailsweep/client';
import { beforeAll, describe, expect, test } from 'vitest';
import { signIn } from './src/api-session.ts';
import type { SharedStack } from './src/local-stack.ts';
import { ownUser, shareStack } from './src/shared-stack.ts';

const USER = ownUser('ada');

describe('the client, as a script uses it', () => {
  test('follows a scan to its end', async () => {
    const { id } = await client.startScan({ body: { scope: 'all' } });
    const states = await collect(followScan(client, id));
    expect(states.at(-1)).toMatchObject({ id, state: 'completed' });
    expect(states.at(-1)?.scanned).toBeGreaterThan(100);
  });

  test('goes through all pages of senders and of emails', async () => {
    const senders = await collect(listItems(client.listSenders, { query: { sort: 'mails', perPage: 7 } }));
    const { total } = await client.listSenders({ query: { perPage: 1 } });
    expect(senders).toHaveLength(total);
    expect(new Set(senders.map(({ id }) => id)).size).toBe(total);
    const pages = await collect(listPages(client.listEmails, { query: { pageSize: 50 } }));
    expect(pages.length).toBeGreaterThan(1);
    const ids = pages.flatMap(({ emails }) => emails.map(({ id }) => id));
    expect(new Set(ids).size).toBe(pages.at(-1)?.total);
  });

  test('plans a cleanup, runs it once though each response was lost, and undoes it', async () => {
    const fetches: string[] = [];
    /** Lets every other response arrive; the API has carried out the request of those that are lost. */
    const lossy = connect(async (url, init) => {
      const response = await fetch(url, init);
      fetches.push(`${init?.method} ${response.headers.get('idempotency-replayed')}`);
      if (fetches.length % 2 === 1) throw new TypeError('The connection was lost.');
      return response;
    });
    const plan = await lossy.createCleanup({
      body: { action: 'archive', selection: { type: 'filter', category: 'promotions', olderThan: 30 } },
    });
    expect(plan.total).toBeGreaterThan(10);
    await lossy.runCleanup({ params: { id: plan.id } });
    const states = await collect(followCleanup(lossy, plan.id));
    expect(states.at(-1)).toMatchObject({ state: 'completed', processed: plan.total });
    expect(fetches.filter((line) => line === 'POST true')).toHaveLength(2);
    const plans = await collect(listItems(client.listCleanups));
    expect(plans.map(({ id }) => id)).toEqual([plan.id]);
    const undone = await lossy.undoCleanup({ params: { id: plan.id } });
    expect(undone.undone).toBe(states.at(-1)?.changed);
  });

  test('tells why the API refused', async () => {
    const unknown = client.getScan({ params: { id: '0197a3c4-3333-7e8f-9a0b-1c2d3e4f5a6b' } });
    expect(isProblem(await failure(unknown), 'not_found')).toBe(true);
    const stranger = createClient({ baseUrl: stack.api, token: 'not-a-token' });
    expect(isProblem(await failure(stranger.getMe()), 'unauthorized')).toBe(true);
    const invalid = await failure(client.listSenders({ query: { perPage: 1_000 } }));
    expect(isProblem(invalid, 'validation_failed') && invalid.problem.errors?.[0]?.path).toMatch(/perPage/);
  });
});

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no failure',
    (error: unknown) => error,
  );

let stack: SharedStack;
let client: ApiClient;
let connect: (fetchFunction?: typeof fetch) => ApiClient;
beforeAll(async () => {
  stack = await shareStack();
  const { session } = await signIn(stack.api, USER);
  const token = session.cookie.replace('session_token=', '');
  connect = (fetchFunction = fetch) => createClient({ baseUrl: stack.api, token, fetch: fetchFunction });
  client = connect();
});
