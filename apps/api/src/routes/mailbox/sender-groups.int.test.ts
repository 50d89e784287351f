import type { Sender } from '@mailsweep/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, startApi } from '../../testing/api-harness.ts';

const SHOP_NEWS = { headers: [{ name: 'List-Id', value: 'Offers <offers.shop.example>' }] };
const MAIL = [
  { id: 'n1', from: 'Shop <bounce+1@mail.shop.example>', ...SHOP_NEWS },
  { id: 'n2', from: 'Shop <bounce+2@mail.shop.example>', ...SHOP_NEWS, labelIds: [] },
  { id: 'n3', from: 'Shop <orders@shop.example>', ...SHOP_NEWS },
  { id: 'o1', from: 'Shop orders <orders@shop.example>', ageDays: 9 },
  { id: 'a1', from: 'Ann <ann@gmail.com>' },
  { id: 'b1', from: 'Bo <bo@gmail.com>' },
  { id: 'u1', from: 'Uni <info@dept.uni.ac.uk>' },
];

test('by domain, addresses of one that was registered are one sender, but for those at public providers', async () => {
  expect(await list('by=domain')).toEqual([
    { name: 'shop.example', mails: 4, addresses: 3 },
    { name: 'Ann <ann@gmail.com>', mails: 1 },
    { name: 'Bo <bo@gmail.com>', mails: 1 },
    { name: 'uni.ac.uk', mails: 1, addresses: 1 },
  ]);
  expect(await list('by=domain&search=bounce%2B2')).toMatchObject([{ name: 'shop.example', mails: 4 }]);
  const [shop] = await read('by=domain&perPage=1');
  expect(shop).toMatchObject({ from: expect.stringContaining('Shop <'), inInbox: 3, unread: 3 });
  expect((await read('by=domain&sort=inInbox&perPage=1&page=2')).length).toBe(1);

  expect(await read(`group=${shop?.id}&unsubscribe=still_sending`)).toEqual([]);
  const members = await list(`group=${shop?.id}`);
  expect(members.map(({ mails }) => mails)).toEqual([2, 1, 1]);
  const { body: details } = await ada.get(`/api/v1/senders/${shop?.id}`).expect(200);
  expect(details).toMatchObject({ ...shop, takes: { archive: 3, delete: 4 } });
  const { body: emails } = await ada.get(`/api/v1/senders/${shop?.id}/emails`).expect(200);
  expect(emails.data.map(({ id }: { id: string }) => id).toSorted()).toEqual(['n1', 'n2', 'n3', 'o1']);
});

test('by list, emails of one are one sender, and what came by none stays with its address', async () => {
  const listed = await list('by=list');
  expect(listed).toEqual([
    { name: 'offers@shop.example', mails: 3, addresses: 3 },
    { name: 'Ann <ann@gmail.com>', mails: 1 },
    { name: 'Bo <bo@gmail.com>', mails: 1 },
    { name: 'Uni <info@dept.uni.ac.uk>', mails: 1 },
    { name: 'orders@shop.example', mails: 1, addresses: 1 },
  ]);
  const senders = await read('by=list');
  const idsOf = async (name: string) => {
    const { id } = senders.find(({ group }) => group?.name === name) ?? {};
    const { body } = await ada.get(`/api/v1/senders/${id}/emails`).expect(200);
    const { body: details } = await ada.get(`/api/v1/senders/${id}`).expect(200);
    expect(details).toMatchObject({ id, mails: body.total, group: { by: 'list', name } });
    return body.data.map((email: { id: string }) => email.id).toSorted();
  };
  expect(await idsOf('offers@shop.example')).toEqual(['n1', 'n2', 'n3']);
  expect(await idsOf('orders@shop.example')).toEqual(['o1']);
  const id = senders[0]?.id;
  expect((await read(`group=${id}`)).map(({ mails }) => mails)).toEqual([1, 1, 1]);
});

test('groups of another user, and of what is not asked together, are refused', async () => {
  const [shop] = await read('by=domain');
  await grace.get('/api/v1/suggestions').expect(200);
  await grace.get(`/api/v1/senders/${shop?.id}`).expect(404);
  for (const query of [`by=list&group=${shop?.id}`, 'by=domain&unsubscribe=still_sending', 'by=name']) {
    const { body } = await ada.get(`/api/v1/senders?${query}`).expect(400);
    expect(body.errors).toMatchObject([{ path: 'by' }]);
  }
});

const read = async (query: string): Promise<Sender[]> =>
  (await ada.get(`/api/v1/senders?${query}`).expect(200)).body.data;

const list = async (query: string) =>
  (await read(query))
    .map(({ from, mails, group }) => ({
      name: group?.name ?? from,
      mails,
      ...(group && { addresses: group.addresses }),
    }))
    .toSorted((one, other) => other.mails - one.mails || (one.name < other.name ? -1 : 1));

let api: ApiHarness;
let ada: ApiClient;
let grace: ApiClient;
beforeAll(async () => {
  api = await startApi({ mail: { 'ada@example.com': MAIL, 'grace@example.com': MAIL } });
  [ada, grace] = [await api.signIn(), await api.signIn('grace@example.com')];
  await ada.get('/api/v1/emails?scope=all&pageSize=100').expect(200);
});
afterAll(() => api.close());
