import type { Sender } from '@mailsweep/contracts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, startApi } from '../../testing/api-harness.ts';

const NEWS = 'News <news@paper.example>';
const LIST = 'List <list@club.example>';
const FORGED = 'Forged <news@forged.example>';
const FRIEND = 'Bo <bo@example.com>';

const header = (name: string, value: string) => ({ name, value });
const result = (service: string, dkim: string) =>
  header('Authentication-Results', `${service}; ${dkim} header.b=AbCdEfGh; spf=pass smtp.mailfrom=a@b`);
const signedOffer = (host: string) => [
  header('DKIM-Signature', `v=1; d=${host}; h=from:list-unsubscribe:list-unsubscribe-post; b=AbCdEfGhIjKl`),
  header('List-Unsubscribe', `<https://${host}/off?token=secret>, <mailto:off@${host}>`),
  header('List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'),
];

test('a request is accepted, shown with the sender, and listed in the audit trail', async () => {
  const news = await idOf(NEWS);
  const offered = {
    method: 'one_click',
    host: 'paper.example',
    link: 'https://paper.example/off?token=secret',
    mailto: 'mailto:off@paper.example',
    state: null,
    error: null,
    status: null,
    at: null,
  };
  expect((await find(NEWS))?.unsubscribe).toEqual(offered);
  const { body } = await ada.post(`/api/v1/senders/${news}/unsubscribe`).expect(202);
  const requested = { ...offered, state: 'requested', at: expect.any(String) };
  expect(body).toEqual(requested);
  expect((await ada.get(`/api/v1/senders/${news}/unsubscribe`).expect(200)).body).toEqual(body);
  expect((await find(NEWS))?.unsubscribe).toEqual(requested);
  expect((await ada.post(`/api/v1/senders/${news}/unsubscribe`).expect(202)).body).toEqual(body);

  const { body: audit } = await ada.get('/api/v1/me/audit').expect(200);
  const entries = audit.data.filter(({ event }: { event: string }) => event === 'unsubscribe_requested');
  expect(entries).toMatchObject([{ details: { senderId: news, method: 'one_click' } }]);
  expect(JSON.stringify(audit)).not.toContain('paper.example');
  expect(api.logLines.join('')).not.toMatch(/paper\.example|token=secret/);
});

test('a key makes a repeated request return the stored response', async () => {
  const path = `/api/v1/senders/${await idOf(NEWS)}/unsubscribe`;
  const { body } = await ada.post(path).set('idempotency-key', 'one').expect(202);
  await api.testDatabase.query(`UPDATE "Unsubscribe" SET "state" = 'refused', "error" = 'rejected'`);
  const repeated = await ada.post(path).set('idempotency-key', 'one').expect(202);
  expect(repeated.body).toEqual(body);
  expect(await api.testDatabase.query('SELECT "state" FROM "Unsubscribe"')).toEqual([{ state: 'refused' }]);
  await ada.post(path).set('idempotency-key', 'two').expect(202);
  expect(await api.testDatabase.query('SELECT "state" FROM "Unsubscribe"')).toEqual([{ state: 'requested' }]);
});

test('a request goes to the host that the user was shown, or nowhere', async () => {
  const path = `/api/v1/senders/${await idOf(NEWS)}/unsubscribe`;
  const refused = await ada.post(path).send({ host: 'evil.example' }).expect(409);
  expect(refused.body).toMatchObject({ code: 'unsubscribe_changed' });
  await ada.post(path).send({ host: 'paper.example' }).expect(202);
});

test('a sender that accepts no automatic request is left to the user', async () => {
  const list = await idOf(LIST);
  const { body } = await ada.post(`/api/v1/senders/${list}/unsubscribe`).expect(200);
  expect(body).toMatchObject({
    method: 'manual',
    host: null,
    state: 'manual',
    mailto: 'mailto:off@club.example',
  });
});

test('what a message says of its own signature counts for nothing', async () => {
  expect((await find(FORGED))?.unsubscribe).toMatchObject({ method: 'manual', host: null });
  const { body } = await ada.post(`/api/v1/senders/${await idOf(FORGED)}/unsubscribe`).expect(200);
  expect(body.state).toBe('manual');
});

test('a sender who offers nothing, and one who is not known, are refused', async () => {
  const friend = await idOf(FRIEND);
  expect((await find(FRIEND))?.unsubscribe).toBeNull();
  const refused = await ada.post(`/api/v1/senders/${friend}/unsubscribe`).expect(409);
  expect(refused.body).toMatchObject({ code: 'unsubscribe_not_offered' });
  const { body: nothing } = await ada.get(`/api/v1/senders/${friend}/unsubscribe`).expect(200);
  expect(new Set(Object.values(nothing))).toEqual(new Set([null]));
  await ada.post(`/api/v1/senders/${'0'.repeat(64)}/unsubscribe`).expect(409);
  const malformed = await ada.post('/api/v1/senders/news/unsubscribe').expect(400);
  expect(malformed.body).toMatchObject({ errors: [{ path: 'id' }] });
});

test('the headers come with the emails: no call is made for them', async () => {
  api.google.heal();
  await ada.get('/api/v1/senders').expect(200);
  await ada.post(`/api/v1/senders/${await idOf(NEWS)}/unsubscribe`).expect(202);
  expect(api.google.countCalls(/gmail/)).toBe(0);
});

const listSenders = async (): Promise<Sender[]> => (await ada.get('/api/v1/senders').expect(200)).body.data;
const find = async (from: string) => (await listSenders()).find((sender) => sender.from === from);
const idOf = async (from: string) => (await find(from))?.id ?? '';

let api: ApiHarness;
let ada: ApiClient;
beforeEach(async () => {
  api = await startApi({
    mail: {
      'ada@example.com': [
        {
          id: 'one',
          from: NEWS,
          headers: [result('mx.google.com', 'dkim=pass'), ...signedOffer('paper.example')],
        },
        { id: 'two', from: LIST, headers: [header('List-Unsubscribe', '<mailto:off@club.example>')] },
        {
          id: 'three',
          from: FORGED,
          headers: [
            result('mx.google.com', 'dkim=fail'),
            result('mx.google.com', 'dkim=pass'),
            ...signedOffer('forged.example'),
          ],
        },
        { id: 'four', from: FRIEND },
      ],
    },
  });
  ada = await api.signIn();
  await ada.get('/api/v1/emails').expect(200);
});
afterEach(() => api.close());
