import {
  ActionBatchSchema,
  ListActionBatchesResponseSchema,
  ListBatchSendersResponseSchema,
} from '@mailsweep/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, startApi } from '../../testing/api-harness.ts';

describe('GET /api/v1/notifications/history/batches', () => {
  test('lists what one request did as one batch, newest first, with its senders', async () => {
    await act(['shop-1', 'shop-2', 'bank-1', 'news-1', 'friend-1'], 'archive');
    await cacheMessages();
    await ada.post('/api/v1/notifications/confirm', { emailIds: ['shop-3'], action: 'reject' }).expect(200);
    const { body } = await ada.get(BATCHES).expect(200);

    expect(ListActionBatchesResponseSchema.parse(body)).toEqual(body);
    expect(body).toMatchObject({ total: 2, page: 1, perPage: 20 });
    expect(body.data).toEqual([
      expect.objectContaining({ source: 'suggestions', action: 'reject', total: 1, undone: 0, undo: null }),
      {
        id: expect.any(String),
        startedAt: expect.any(String),
        source: 'inbox',
        action: 'archive',
        total: 5,
        unchanged: 0,
        undone: 0,
        undo: null,
        senders: {
          count: 4,
          top: [{ from: 'Shop <shop@shop.example>', emails: 2 }, expect.anything(), expect.anything()],
        },
      },
    ]);
    expect((await ada.get(`${BATCHES}?source=inbox`)).body).toMatchObject({ total: 1, data: [body.data[1]] });
    expect((await ada.get(`${BATCHES}?action=delete`)).body).toMatchObject({ total: 0, data: [] });
    const single = await ada.get(`${BATCHES}?batch=${body.data[1].id}`).expect(200);
    expect(single.body).toMatchObject({ total: 1, data: [body.data[1]] });
  });

  test('is paged', async () => {
    for (const id of ['paged-1', 'paged-2', 'paged-3']) await act([id], 'mark_unread', grace);
    const pages = await Promise.all(
      [1, 2, 3].map(async (page) => (await grace.get(`${BATCHES}?page=${page}&perPage=2`)).body),
    );

    expect(pages.map(({ total, data }) => [total, data.length])).toEqual([
      [3, 2],
      [3, 1],
      [3, 0],
    ]);
    const startedAt = pages.flatMap(({ data }) =>
      data.map((batch: { startedAt: string }) => batch.startedAt),
    );
    expect(startedAt).toEqual(startedAt.toSorted().toReversed());
    await grace.get(`${BATCHES}?perPage=101`).expect(400);
  });

  test('names the newest batch that is left to undo', async () => {
    const [older, newer] = [await act(['left-1'], 'archive'), await act(['left-2', 'left-3'], 'archive')];
    const readNext = async () => (await ada.get(`${BATCHES}?undoable=true&perPage=1`).expect(200)).body.data;
    const { body: history } = await ada.get(`${HISTORY}?batch=${newer}`);
    await ada.post(`${HISTORY}/${history.data[0].id}/undo`).expect(200);
    expect(await readNext()).toMatchObject([{ id: newer, total: 2, undone: 1 }]);
    await ada.post(`${BATCHES}/${newer}/undo`).expect(200);
    expect(await readNext()).toMatchObject([{ id: older }]);
    const { data: others } = (await ada.get(`${BATCHES}?undoable=false&perPage=1`)).body;
    expect(others).toMatchObject([{ id: newer, undone: 2 }]);
    await ada.get(`${BATCHES}?undoable=maybe`).expect(400);
  });

  test('counts emails that are not cached for no sender', async () => {
    const id = await act(['shop-4', 'bank-2'], 'archive');
    await cacheMessages();
    await api.testDatabase.query(`DELETE FROM "CachedMessage" WHERE "emailId" = 'shop-4'`);

    const body = await readBatch(id);
    expect(body).toMatchObject({
      total: 2,
      senders: { count: 1, top: [{ from: 'Bank <bank@bank.example>', emails: 1 }] },
    });
  });
});

describe('GET /api/v1/notifications/history/batches/{id}/senders', () => {
  test('groups the emails of a batch by sender, what is not cached last', async () => {
    const id = await act(['sent-1', 'sent-2', 'sent-3', 'post-1', 'gone-1'], 'archive');
    await cacheMessages();
    await api.testDatabase.query(`DELETE FROM "CachedMessage" WHERE "emailId" = 'gone-1'`);
    const { body } = await ada.get(`${BATCHES}/${id}/senders`).expect(200);

    expect(ListBatchSendersResponseSchema.parse(body)).toEqual(body);
    const [sent, post, gone] = body.data;
    expect(body.total).toBe(3);
    expect(sent).toMatchObject({ from: 'Sent <sent@sent.example>', emails: 3, undone: 0 });
    expect(post).toMatchObject({ from: 'Post <post@post.example>', emails: 1 });
    expect(gone).toEqual({ sender: null, from: '', emails: 1, unchanged: 0, undone: 0 });
    const second = await ada.get(`${BATCHES}/${id}/senders?perPage=1&page=2`).expect(200);
    expect(second.body).toMatchObject({ total: 3, data: [post] });
    expect((await ada.get(`${BATCHES}/${id}/senders?page=9`)).body).toMatchObject({ total: 3, data: [] });

    const { body: ofSender } = await ada.get(`${HISTORY}?batch=${id}&sender=${sent.sender}&perPage=2`);
    expect(ofSender.total).toBe(3);
    expect(ofSender.data.map(({ emailId }: { emailId: string }) => emailId)).toHaveLength(2);
    const { body: ofUnknown } = await ada.get(`${HISTORY}?batch=${id}&sender=unknown`);
    expect(ofUnknown).toMatchObject({ total: 1, data: [{ emailId: 'gone-1' }] });

    await ada
      .post(`${HISTORY}/undo`)
      .send({ ids: ofSender.data.map(toId) })
      .expect(200);
    const { body: after } = await ada.get(`${BATCHES}/${id}/senders?perPage=1`);
    expect(after.data).toEqual([{ ...sent, undone: 2 }]);
  });

  test('finds emails by words of sender and subject, in a batch and in the whole history', async () => {
    const id = await act(['find-1', 'find-2', 'hide-1'], 'mark_unread');
    await cacheMessages();
    const { body: listed } = await ada.get('/api/v1/emails?scope=all&pageSize=100');
    const { subject } = listed.emails.find((email: { id: string }) => email.id === 'find-2');
    const search = encodeURIComponent(`FIND@find ${subject}`);

    const { body: senders } = await ada.get(`${BATCHES}/${id}/senders?search=${search}`).expect(200);
    expect(senders.data).toMatchObject([{ from: 'Find <find@find.example>' }]);
    const { body: records } = await ada.get(`${HISTORY}?search=find@&action=mark_unread`).expect(200);
    expect(records.data.map(({ emailId }: { emailId: string }) => emailId).toSorted()).toEqual([
      'find-1',
      'find-2',
    ]);
    expect((await ada.get(`${BATCHES}?search=find@`)).body).toMatchObject({ total: 1, data: [{ id }] });
    expect((await ada.get(`${BATCHES}?search=nobody`)).body).toMatchObject({ total: 0, data: [] });
    expect((await grace.get(`${BATCHES}?search=find@`)).body).toMatchObject({ total: 0, data: [] });
    const refused = await ada.get(`${BATCHES}?search=%20`).expect(400);
    expect(refused.body.errors).toMatchObject([{ path: 'search' }]);
  });

  test('shows nobody the batch of another user', async () => {
    const id = await act(['foreign-post'], 'mark_unread');
    await grace.get(`${BATCHES}/${id}/senders`).expect(404);
    await ada.get(`${BATCHES}/everything/senders`).expect(400);
  });
});

test('the history is narrowed to a batch, its total as well, and not to one of another user', async () => {
  const id = await act(['many-1', 'many-2', 'many-3'], 'archive');
  const first = await ada.get(`${HISTORY}?batch=${id}&perPage=2`).expect(200);
  const second = await ada.get(`${HISTORY}?batch=${id}&perPage=2&page=2`).expect(200);

  expect([first, second].map(({ body }) => [body.total, body.data.length])).toEqual([
    [3, 2],
    [3, 1],
  ]);
  const records = [...first.body.data, ...second.body.data];
  expect(new Set(records.map(({ emailId }) => emailId))).toEqual(new Set(['many-1', 'many-2', 'many-3']));
  expect(new Set(records.map(({ batchId }) => batchId))).toEqual(new Set([id]));
  expect((await ada.get(`${HISTORY}?batch=${id}&action=archive&source=inbox`)).body.total).toBe(3);
  expect((await ada.get(`${HISTORY}?batch=${id}&action=delete`)).body).toMatchObject({ total: 0, data: [] });
  expect((await grace.get(`${HISTORY}?batch=${id}`)).body).toMatchObject({ total: 0, data: [] });
  const refused = await ada.get(`${HISTORY}?batch=everything`).expect(400);
  expect(refused.body.errors).toMatchObject([{ path: 'batch' }]);
});

describe('POST /api/v1/notifications/history/batches/{id}/undo', () => {
  test('undoes a small batch before it responds, what was undone before included', async () => {
    const id = await act(['small-1', 'small-2', 'small-3'], 'archive');
    const { body: history } = await ada.get(`${HISTORY}?batch=${id}`);
    await ada.post(`${HISTORY}/${history.data[0].id}/undo`).expect(200);
    const { body } = await ada.post(`${BATCHES}/${id}/undo`).expect(200);

    expect(ActionBatchSchema.parse(body)).toEqual(body);
    expect(body).toMatchObject({ id, total: 3, undone: 3, undo: { state: 'done', failed: 0 } });
    for (const email of ['small-1', 'small-2', 'small-3']) {
      expect(await api.google.labelsOf(email)).toContain('INBOX');
    }
    expect((await ada.post(`${BATCHES}/${id}/undo`).expect(200)).body).toEqual(body);
  });

  test('counts what has changed since, and tries it again when asked again', async () => {
    const id = await act(['again-1', 'again-2'], 'archive');
    await api.google.changeLabels('again-1', { added: ['INBOX'] });
    const first = await ada.post(`${BATCHES}/${id}/undo`).expect(200);
    expect(first.body).toMatchObject({ undone: 1, undo: { state: 'done', failed: 1 } });
    await api.google.changeLabels('again-1', { removed: ['INBOX'] });
    const second = await ada.post(`${BATCHES}/${id}/undo`).expect(200);

    expect(second.body.undo).toMatchObject({ state: 'done' });
  });

  test('counts what it puts back alone, and takes back a confirmation with all its repetitions', async () => {
    const emailIds = ['twice-1', 'twice-2'];
    const confirm = (key: string) =>
      ada
        .post('/api/v1/notifications/confirm', { emailIds, action: 'accept' })
        .set('idempotency-key', key)
        .expect(200);
    const [first, second] = [await confirm('first'), await confirm('second')].map(({ body }) => body);
    expect(first.results).not.toContainEqual(expect.objectContaining({ unchanged: true }));
    expect(second.results).toMatchObject([{ unchanged: true }, { unchanged: true }]);
    const idOf = ({ data }: { data: { batchId: string }[] }) => String(data[0]?.batchId);
    const nothing = { id: idOf(second), total: 2, unchanged: 2, undone: 0 };
    expect((await ada.post(`${BATCHES}/${idOf(second)}/undo`).expect(200)).body).toMatchObject({
      ...nothing,
      undo: null,
    });
    expect((await ada.get(`${BATCHES}?undoable=true&perPage=1`)).body.data).toMatchObject([
      { id: idOf(first) },
    ]);

    const mixed = await act(['twice-1', 'twice-3'], 'archive');
    const undone = await ada.post(`${BATCHES}/${mixed}/undo`).expect(200);
    expect(undone.body).toMatchObject({
      total: 2,
      unchanged: 1,
      undone: 1,
      undo: { state: 'done', failed: 0 },
    });
    expect((await ada.get(`${BATCHES}?undoable=true&perPage=1`)).body.data).toMatchObject([
      { id: idOf(first) },
    ]);
    await cacheMessages();
    const { body: senders } = await ada.get(`${BATCHES}/${mixed}/senders`).expect(200);
    expect(senders.data).toMatchObject([{ emails: 2, unchanged: 1, undone: 1 }]);

    const { body } = await ada.post(`${HISTORY}/undo`, {
      ids: [second, first].flatMap(({ data }) => data.map(toId)),
    });
    expect(body.results).toMatchObject([
      { status: 'ok', unchanged: true },
      { status: 'ok', unchanged: true },
      expect.not.objectContaining({ unchanged: true }),
      expect.not.objectContaining({ unchanged: true }),
    ]);
    expect(await readBatch(idOf(first))).toMatchObject({ undone: 2 });
    expect(await readBatch(idOf(second))).toMatchObject(nothing);
    for (const email of emailIds) expect(await api.google.labelsOf(email)).toContain('INBOX');

    const [again, repeated] = [await confirm('third'), await confirm('fourth')].map(({ body: done }) => done);
    await ada.post(`${BATCHES}/${idOf(again)}/undo`).expect(200);
    const { body: records } = await ada.get(`${HISTORY}?batch=${idOf(repeated)}`);
    expect(records.data).toMatchObject([{ undoneAt: expect.any(String) }, { undoneAt: expect.any(String) }]);
  });

  test('leaves a large batch to the worker: 202, and the same batch while the undo runs', async () => {
    const id = await act(['large-1'], 'archive');
    await api.testDatabase.query(`UPDATE "ActionBatch" SET "total" = 1001 WHERE "id" = $1`, [id]);
    const first = await ada.post(`${BATCHES}/${id}/undo`).set('idempotency-key', 'large').expect(202);
    const again = await ada.post(`${BATCHES}/${id}/undo`).expect(202);

    expect(first.body).toMatchObject({ id, undone: 0, undo: { state: 'running', failed: 0 } });
    expect(again.body).toEqual(first.body);
    const replayed = await ada.post(`${BATCHES}/${id}/undo`).set('idempotency-key', 'large').expect(202);
    expect(replayed.headers['idempotency-replayed']).toBe('true');
    expect(await readBatch(id)).toEqual(first.body);
  });

  test('goes on in the background where Gmail is away', async () => {
    const id = await act(['away-1'], 'archive');
    api.google.fail({ path: /gmail/, times: 100, status: 503, headers: { 'retry-after': '3600' } });
    const { body } = await ada.post(`${BATCHES}/${id}/undo`).expect(202);
    api.google.heal();

    expect(body).toMatchObject({ undone: 0, undo: { state: 'running', failed: 0 } });
  });

  test('of another user is not found', async () => {
    const id = await act(['foreign-post'], 'archive');
    const listed = await grace.get(`${BATCHES}?batch=${id}`).expect(200);
    expect(listed.body).toMatchObject({ total: 0, data: [] });
    const { body } = await grace.post(`${BATCHES}/${id}/undo`).expect(404);

    expect(body).toMatchObject({ code: 'not_found' });
    expect(await api.google.labelsOf('foreign-post')).not.toContain('INBOX');
  });
});

const HISTORY = '/api/v1/notifications/history';
const BATCHES = `${HISTORY}/batches`;

const readBatch = async (id: string) => (await ada.get(`${BATCHES}?batch=${id}`).expect(200)).body.data[0];

/** Acts on emails in one request; returns its batch. */
const act = async (emailIds: string[], action: string, client = ada): Promise<string> => {
  await client.post('/api/v1/inbox/actions', { emailIds, action }).expect(200);
  const { body } = await client.get(`${BATCHES}?perPage=1`).expect(200);
  return body.data[0].id;
};

const toId = ({ id }: { id: string }): string => id;

const cacheMessages = () => ada.get('/api/v1/emails?scope=all&pageSize=100').expect(200);

const mailOf = (...ids: string[]) =>
  ids.map((id) => {
    const name = id.split('-')[0] ?? '';
    return { id, from: `${name[0]?.toUpperCase()}${name.slice(1)} <${name}@${name}.example>` };
  });

let api: ApiHarness;
let ada: ApiClient;
let grace: ApiClient;
beforeAll(async () => {
  api = await startApi({
    mail: {
      'ada@example.com': mailOf(
        ...['shop-1', 'shop-2', 'shop-3', 'shop-4', 'bank-1', 'bank-2', 'news-1', 'friend-1'],
        ...['many-1', 'many-2', 'many-3', 'small-1', 'small-2', 'small-3', 'again-1', 'again-2'],
        ...['large-1', 'away-1', 'foreign-post', 'left-1', 'left-2', 'left-3', 'sent-1', 'sent-2'],
        ...['sent-3', 'post-1', 'gone-1', 'find-1', 'find-2', 'hide-1', 'twice-1', 'twice-2', 'twice-3'],
      ),
      'grace@example.com': mailOf('paged-1', 'paged-2', 'paged-3'),
    },
  });
  ada = await api.signIn();
  grace = await api.signIn('grace@example.com');
});
afterAll(() => api.close());
