import { type ApiClient, createClient, followCleanup, followScan } from '@mailsweep/client';
import { type CyrusServer, findMissingCyrus, openCyrusAccount, startCyrus } from '@mailsweep/jmap/testing';
import type { ContractServer } from '@mailsweep/mailbox/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LocalStack, startLocalStack } from './src/local-stack.ts';

const missing = findMissingCyrus();
const DAY_MS = 24 * 3_600_000;
const NEWSLETTERS = 40;

describe.skipIf(missing !== undefined)(`a mailbox at Cyrus${missing ? ` (skipped: ${missing})` : ''}`, () => {
  test('is whose the token is', async () => {
    const me = await client.getMe();
    expect(me).toMatchObject({
      connection: 'active',
      provider: { key: 'own', name: 'Our server', kind: 'jmap' },
      mailbox: { name: 'Our server', categories: ['updates', 'forums', 'primary'], hasQuotaUnits: false },
    });
  });

  test('is scanned, and has its senders and suggestions', async () => {
    const { id } = await client.startScan({ body: { scope: 'all' } });
    const states = await collect(followScan(client, id));
    expect(states.at(-1)).toMatchObject({ state: 'completed', scanned: NEWSLETTERS + 2 });
    const { data: senders } = await client.listSenders({ query: { sort: 'mails' } });
    expect(senders[0]).toMatchObject({
      from: expect.stringContaining('<news@shop.example>'),
      mails: NEWSLETTERS,
    });
    const { data: groups } = await client.listSuggestionGroups({});
    expect(groups.length).toBeGreaterThan(0);
  });

  test('has an email archived, deleted and marked, and all of it undone exactly', async () => {
    const [id = ''] = ids;
    const before = await labelsOf(id);
    for (const action of ['archive', 'delete', 'mark_read'] as const) {
      const { results } = await client.executeInboxAction({ body: { emailIds: [id], action } });
      expect(results).toMatchObject([{ emailId: id, status: 'ok' }]);
      expect(await labelsOf(id)).not.toEqual(before);
      const { data } = await client.listActionHistory({ query: { perPage: 1 } });
      await client.undoActions({ body: { ids: [data[0]?.id ?? ''] } });
      expect(await labelsOf(id)).toEqual(before);
    }
  });

  test('is cleaned by a plan, but for what another client changed since, and undone', async () => {
    const before = await readAll();
    const { data: senders } = await client.listSenders({ query: { sort: 'mails' } });
    const plan = await client.createCleanup({
      body: { action: 'archive', selection: { type: 'senders', senders: [senders[0]?.id ?? ''] } },
    });
    expect(plan).toMatchObject({ total: NEWSLETTERS, quotaUnits: 0 });
    const starred = ids[5] ?? '';
    await account.change(starred, { added: ['STARRED'], removed: [] });
    await client.runCleanup({ params: { id: plan.id } });
    const states = await collect(followCleanup(client, plan.id));
    expect(states.at(-1)).toMatchObject({ state: 'completed', changed: NEWSLETTERS - 1, skipped: 1 });
    for (const id of ids) expect((await labelsOf(id)).has('INBOX')).toBe(id === starred);

    const { undone } = await client.undoCleanup({ params: { id: plan.id } });
    expect(undone).toBe(NEWSLETTERS - 1);
    const after = await readAll();
    after.get(starred)?.delete('STARRED');
    expect(after).toEqual(before);
  });
});

const labelsOf = async (id: string) => new Set(await account.readLabels(id));
const readAll = async () =>
  new Map(await Promise.all(ids.map(async (id) => [id, await labelsOf(id)] as const)));

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

const signIn = async (providerToken: string): Promise<string> => {
  const response = await fetch(`${stack.api}/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: stack.web },
    body: JSON.stringify({ provider: 'own', token: providerToken }),
  });
  expect(response.status).toBeLessThan(300);
  const [, token = ''] = /session_token=([^;]+)/.exec(response.headers.getSetCookie().join('\n')) ?? [];
  return token;
};

let cyrus: CyrusServer;
let account: ContractServer & { user: string };
let stack: LocalStack;
let client: ApiClient;
const ids: string[] = [];
beforeAll(async () => {
  if (missing !== undefined) return;
  cyrus = await startCyrus();
  account = await openCyrusAccount(cyrus);
  for (let index = 0; index < NEWSLETTERS; index += 1) {
    ids.push(
      await account.deliver({
        labels: ['INBOX', ...(index % 2 === 0 ? ['UNREAD'] : [])],
        subject: `Weekly offers ${index}: 20 % off`,
        from: 'Shop News <news@shop.example>',
        receivedAt: new Date(Math.floor(Date.now() / 1_000) * 1_000 - (index + 40) * DAY_MS),
      }),
    );
  }
  const friend = {
    labels: ['INBOX'],
    subject: 'Dinner? 🍝',
    from: 'Amy <amy@friends.example>',
    receivedAt: new Date(Date.UTC(2026, 0, 1)),
  };
  const question = await account.deliver(friend);
  await account.deliver({ ...friend, labels: ['SENT'], replyTo: question });
  const own = { key: 'own', name: 'Our server', sessionUrl: cyrus.sessionUrl, token: true };
  stack = await startLocalStack({ JMAP_PROVIDERS: JSON.stringify([own]) });
  client = createClient({ baseUrl: stack.api, token: await signIn(cyrus.tokenOf(account.user)) });
});
afterAll(async () => {
  await stack?.stop();
  await cyrus?.stop();
});
