import { type ActionHistoryRecord, UndoResponseSchema } from '@mailsweep/contracts';
import { respondWithSuggestions } from '@mailsweep/ml-client/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, startApi } from '../../testing/api-harness.ts';

const UNKNOWN_ID = '019a0000-0000-7000-8000-000000000000';

describe('undoing one action', () => {
  test.each(['archive', 'delete', 'mark_unread', 'mark_read'])(
    '%s leaves every label exactly as it was before',
    async (action) => {
      const before = await api.google.labelsOf(`rich-${action}`);
      const [record] = await act([`rich-${action}`], action);
      expect(await api.google.labelsOf(`rich-${action}`)).not.toEqual(before);

      const response = await ada.post(`/api/v1/notifications/history/${record?.id}/undo`).expect(200);
      expect(await api.google.labelsOf(`rich-${action}`)).toEqual(before);
      expect(UndoResponseSchema.parse(response.body)).toEqual(response.body);
      expect(response.body).toEqual({
        success: true,
        execution: 'full',
        summary: { total: 1, processed: 1, failed: 0 },
        results: [
          { id: record?.id, emailId: `rich-${action}`, status: 'ok', undoneAt: expect.stringMatching(/Z$/) },
        ],
      });
    },
  );

  test('sets undoneAt on the record, as the history shows', async () => {
    const [record] = await act(['noted'], 'archive');
    expect(record?.undoneAt).toBeNull();
    const { results } = await undo([record?.id ?? '']);

    expect((await find('noted'))?.undoneAt).toBe(results[0].undoneAt);
  });

  test('takes back only what the action changed: an email that was unread before stays so', async () => {
    const [record] = await act(['unread'], 'mark_unread');
    await undo([record?.id ?? '']);

    expect(await api.google.labelsOf('unread')).toContain('UNREAD');
  });

  test('takes an accepted suggestion back', async () => {
    api.ml.behave(respondWithSuggestions([{ action: 'label', classification: 'bulk', confidence_score: 1 }]));
    await ada.get('/api/v1/suggestions?pageSize=100').expect(200);
    const before = await api.google.labelsOf('accepted');
    const { body } = await ada.post('/api/v1/notifications/confirm', {
      emailIds: ['accepted'],
      action: 'accept',
    });
    expect(await api.google.labelsOf('accepted')).toHaveLength(before.length + 1);

    await ada.post(`/api/v1/notifications/history/${body.data[0].id}/undo`).expect(200);
    expect(await api.google.labelsOf('accepted')).toEqual(before);
  });

  test('takes off the label that was put on, whatever the user calls labels by now', async () => {
    api.ml.behave(
      respondWithSuggestions([{ action: 'label', classification: 'receipt', confidence_score: 1 }]),
    );
    await ada.get('/api/v1/suggestions?pageSize=100').expect(200);
    const before = await api.google.labelsOf('named');
    await ada.patch('/api/v1/me/preferences', { labelNames: { receipt: 'Belege' } }).expect(200);
    const { body } = await ada.post('/api/v1/notifications/confirm', {
      emailIds: ['named'],
      action: 'accept',
    });
    const labelId = await api.google.findLabel('Belege');
    expect(await api.google.labelsOf('named')).toEqual([...before, labelId].toSorted());
    expect(body.data[0].details).toMatchObject({ label: 'Belege', labelChange: { added: [labelId] } });
    expect(await api.google.findLabel('Mailsweep/receipt')).toBeUndefined();

    await ada.patch('/api/v1/me/preferences', { labelNames: { receipt: 'Papers' } }).expect(200);
    await ada.post(`/api/v1/notifications/history/${body.data[0].id}/undo`).expect(200);
    expect(await api.google.labelsOf('named')).toEqual(before);
    await ada.patch('/api/v1/me/preferences', { labelNames: { receipt: null } }).expect(200);
  });

  test('an action whose effect has changed since is left alone: changed_since', async () => {
    const [record] = await act(['changed'], 'archive');
    await api.google.changeLabels('changed', { added: ['INBOX'] });
    api.google.heal();

    expect((await undo([record?.id ?? ''])).results).toEqual([
      { id: record?.id, emailId: 'changed', status: 'error', reason: 'changed_since' },
    ]);
    expect(api.google.countCalls(/modify/)).toBe(0);
    expect((await find('changed'))?.undoneAt).toBeNull();
  });

  test('labels that the user has put on since survive the undo', async () => {
    const [record] = await act(['starred'], 'archive');
    await api.google.changeLabels('starred', { added: ['STARRED'] });
    await undo([record?.id ?? '']);

    expect(await api.google.labelsOf('starred')).toEqual(expect.arrayContaining(['INBOX', 'STARRED']));
  });

  test('what is undone can’t be undone again: already_undone', async () => {
    const [record] = await act(['again'], 'archive');
    await undo([record?.id ?? '']);
    const undoneAt = (await find('again'))?.undoneAt;

    const response = await ada.post(`/api/v1/notifications/history/${record?.id}/undo`).expect(200);
    expect(response.body).toMatchObject({
      execution: 'none',
      results: [{ id: record?.id, status: 'error', reason: 'already_undone' }],
    });
    expect((await find('again'))?.undoneAt).toBe(undoneAt);
  });

  test('a record that is not there gets 404', async () => {
    const response = await ada.post(`/api/v1/notifications/history/${UNKNOWN_ID}/undo`).expect(404);

    expect(response.body).toMatchObject({ code: 'not_found', status: 404 });
  });

  test('a record of another user gets 404, and stays as it is', async () => {
    const grace = await api.signIn('grace@example.com');
    const [record] = await act(['mine'], 'archive');

    await grace.post(`/api/v1/notifications/history/${record?.id}/undo`).expect(404);
    expect((await find('mine'))?.undoneAt).toBeNull();
    expect(await api.google.labelsOf('mine')).not.toContain('INBOX');
  });

  test('an email that was deleted for good is not found', async () => {
    const [record] = await act(['gone'], 'archive');
    api.google.fail({ path: /\/messages\/gone/, times: 1, status: 404 });

    expect((await undo([record?.id ?? ''])).results).toMatchObject([
      { status: 'error', reason: 'not_found' },
    ]);
    expect((await find('gone'))?.undoneAt).toBeNull();
  });

  test('while Gmail is away the record stays undoable', async () => {
    const [record] = await act(['away'], 'archive');
    api.google.fail({
      path: /\/messages\/away\/modify/,
      times: 1,
      status: 503,
      headers: { 'retry-after': '3600' },
    });

    expect((await undo([record?.id ?? ''])).results).toMatchObject([
      { status: 'error', reason: 'mailbox_unavailable' },
    ]);
    expect((await undo([record?.id ?? ''])).results).toMatchObject([{ status: 'ok' }]);
  });
});

describe('undoing several actions', () => {
  test('has a result for each in the order of the request, whatever the others’ results', async () => {
    const grace = await api.signIn('grace@example.com');
    await grace.post('/api/v1/inbox/actions', { emailIds: ['g1'], action: 'archive' }).expect(200);
    const foreign = (await grace.get('/api/v1/notifications/history')).body.data[0].id;
    const records = await act(['many1', 'many2', 'many3'], 'archive');
    const idOf = (emailId: string) => records.find((record) => record.emailId === emailId)?.id ?? '';
    await undo([idOf('many2')]);
    const ids = [idOf('many3'), UNKNOWN_ID, idOf('many2'), foreign, idOf('many1'), idOf('many3')];

    expect(await undo(ids)).toEqual({
      success: true,
      execution: 'partial',
      summary: { total: 5, processed: 2, failed: 3 },
      results: [
        { id: idOf('many3'), emailId: 'many3', status: 'ok', undoneAt: expect.any(String) },
        { id: UNKNOWN_ID, status: 'error', reason: 'not_found' },
        { id: idOf('many2'), emailId: 'many2', status: 'error', reason: 'already_undone' },
        { id: foreign, status: 'error', reason: 'not_found' },
        { id: idOf('many1'), emailId: 'many1', status: 'ok', undoneAt: expect.any(String) },
      ],
    });
    expect(await api.google.labelsOf('g1', 'grace@example.com')).not.toContain('INBOX');
  });

  test.each([
    ['oldest first', (ids: string[]) => ids],
    ['newest first', (ids: string[]) => ids.toReversed()],
  ])('takes all actions on one email back together, named %s', async (name, order) => {
    const emailId = name.replace(' ', '-');
    const before = await api.google.labelsOf(emailId);
    const records = [];
    for (const action of ['archive', 'mark_unread', 'delete'])
      records.push(...(await act([emailId], action)));

    const response = await undo(order(records.map(({ id }) => id)));
    expect(response).toMatchObject({ execution: 'full', summary: { processed: 3 } });
    expect(await api.google.labelsOf(emailId)).toEqual(before);
  });

  test('takes a rejection back without touching the mailbox', async () => {
    const { body } = await ada.post('/api/v1/notifications/confirm', {
      emailIds: ['rejected'],
      action: 'reject',
    });
    api.google.heal();

    expect((await undo([body.data[0].id])).execution).toBe('full');
    expect(api.google.calls).toEqual([]);
    expect((await find('rejected'))?.undoneAt).not.toBeNull();
  });
});

/** Acts and returns the records that came of it, in the order of the emails. */
const act = async (emailIds: string[], action: string): Promise<ActionHistoryRecord[]> => {
  await ada.post('/api/v1/inbox/actions', { emailIds, action }).expect(200);
  const { data } = (await ada.get(`/api/v1/notifications/history?perPage=${emailIds.length}`)).body;
  return data.toReversed();
};

const undo = async (ids: string[]) =>
  (await ada.post('/api/v1/notifications/history/undo', { ids }).expect(200)).body;

const find = async (emailId: string): Promise<ActionHistoryRecord | undefined> => {
  const { data } = (await ada.get('/api/v1/notifications/history?perPage=100')).body;
  return data.find((record: ActionHistoryRecord) => record.emailId === emailId);
};

const READ_IN_INBOX = ['INBOX', 'CATEGORY_SOCIAL', 'IMPORTANT'];
const IDS =
  'noted unread accepted named changed starred again mine gone away many1 many2 many3 rejected'.split(' ');

let api: ApiHarness;
let ada: ApiClient;
beforeAll(async () => {
  api = await startApi({
    mail: {
      'ada@example.com': [
        { id: 'rich-mark_read', labelIds: [...READ_IN_INBOX, 'UNREAD'] },
        ...IDS.map((id) => ({ id })),
        ...['rich-archive', 'rich-delete', 'rich-mark_unread', 'oldest-first', 'newest-first'].map((id) => ({
          id,
          labelIds: READ_IN_INBOX,
        })),
      ],
      'grace@example.com': [{ id: 'g1' }],
    },
  });
  ada = await api.signIn();
});
beforeEach(() => api.google.heal());
afterAll(() => api.close());
