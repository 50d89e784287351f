import {
  type ActionHistoryRecord,
  type ConfirmRequest,
  ConfirmResponseSchema,
  type Suggestion,
  SuggestionsConfirmedEventSchema,
} from '@mailsweep/contracts';
import { respondWithSuggestions } from '@mailsweep/ml-client/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, startApi } from '../../testing/api-harness.ts';

const suggestion = (action: Suggestion['action'], confidence_score = 0.8): Suggestion => ({
  action,
  classification: 'bulk',
  confidence_score,
});

describe('accepting suggestions', () => {
  test('archive takes the email out of the inbox', async () => {
    await suggest({ archive: [suggestion('archive')] });
    await confirm(['archive'], 'accept');

    expect(await api.google.labelsOf('archive')).toEqual(['CATEGORY_PROMOTIONS', 'UNREAD']);
  });

  test('delete moves the email to the trash, never further', async () => {
    await suggest({ delete: [suggestion('delete')] });
    await confirm(['delete'], 'accept');

    expect(await api.google.labelsOf('delete')).toEqual(['CATEGORY_PROMOTIONS', 'TRASH', 'UNREAD']);
  });

  test('label puts on Mailsweep/<classification>, which is made when it is missing, once', async () => {
    expect(await api.google.findLabel('Mailsweep/bulk')).toBeUndefined();
    await suggest({ label1: [suggestion('label')], label2: [suggestion('label')] });
    await confirm(['label1', 'label2'], 'accept');

    const labelId = await api.google.findLabel('Mailsweep/bulk');
    expect(labelId).toBeDefined();
    expect(await api.google.labelsOf('label1')).toEqual(
      ['CATEGORY_PROMOTIONS', 'INBOX', 'UNREAD', labelId ?? ''].toSorted(),
    );
    expect(await api.google.labelsOf('label2')).toContain(labelId);
    expect(
      api.google.calls.filter(({ method, path }) => method === 'POST' && /\/labels$/.test(path)),
      // The other one is its parent.
    ).toHaveLength(2);
    expect(await api.google.findLabel('Mailsweep')).toBeDefined();
  });

  test('a label that was deleted at Gmail is created again by the next accept', async () => {
    await suggest({ label1: [{ ...suggestion('label'), classification: 'gone' }] });
    const { data } = await confirm(['label1'], 'accept');
    const [labelId = ''] = data[0]?.details.labelChange.added ?? [];
    await api.google.deleteLabel(labelId);
    expect(await api.google.findLabel('Mailsweep/gone')).toBeUndefined();

    await suggest({ label2: [{ ...suggestion('label'), classification: 'gone' }] });
    expect((await confirm(['label2'], 'accept')).execution).toBe('full');
    expect(await api.google.labelsOf('label2')).toContain(await api.google.findLabel('Mailsweep/gone'));
  });

  test('notify leaves the mailbox as it is', async () => {
    await suggest({ notify: [suggestion('notify')] });
    api.google.heal();
    const { data } = await confirm(['notify'], 'accept');

    expect(api.google.calls).toEqual([]);
    expect(data[0]?.details).toMatchObject({
      gmailResponse: { status: 'skipped' },
      labelChange: { added: [], removed: [] },
    });
  });

  test.each(['review', 'move', '__proto__', 'constructor'])(
    'the unknown action %s is advice: it is shown, counted and recorded, and calls nothing at Gmail',
    async (action) => {
      await suggest({ notify: [suggestion(action)] });
      const before = await api.google.labelsOf('notify');
      const [group] = (await ada.get('/api/v1/suggestions/groups').expect(200)).body.data;
      expect(Object.entries(group.actions)).toEqual([[action, 1]]);
      api.google.heal();
      const { execution, data, results } = await confirm(['notify'], 'accept');

      expect(api.google.calls).toEqual([]);
      expect(execution).toBe('full');
      expect(results).toEqual([{ emailId: 'notify', status: 'ok', recordId: data[0]?.id }]);
      expect(data[0]?.details).toMatchObject({
        gmailResponse: { status: 'skipped' },
        labelChange: { added: [], removed: [] },
        note: `Accepted: ${action} (bulk). This is advice, so the mailbox was left as it was.`,
        suggestions: [{ action }],
      });
      const { body: summary } = await ada.get('/api/v1/suggestions/summary').expect(200);
      expect(Object.entries(summary.actions)).toContainEqual([action, 1]);

      const { body: undone } = await ada
        .post(`/api/v1/notifications/history/${data[0]?.id}/undo`)
        .expect(200);
      expect(undone).toMatchObject({ execution: 'full' });
      expect(await api.google.labelsOf('notify')).toEqual(before);
      expect((await ada.get('/api/v1/suggestions/stored').expect(200)).body).toMatchObject({ total: 1 });
    },
  );

  test('carries out the suggestion with the highest confidence', async () => {
    await suggest({
      best: [suggestion('archive', 0.5), suggestion('delete', 0.9), suggestion('label', 0.7)],
    });
    const { data } = await confirm(['best'], 'accept');

    expect(await api.google.labelsOf('best')).toContain('TRASH');
    expect(data[0]?.details.gmailResponse).toEqual({ status: 'ok' });
    expect(data[0]?.details.suggestions?.map(({ action }) => action)).toEqual(['delete', 'label', 'archive']);
  });

  test('clears no email away that the service wants the user to notice', async () => {
    await suggest({ notify: [suggestion('delete', 0.9), suggestion('notify', 0.7)] });
    const before = await api.google.labelsOf('notify');
    const { data } = await confirm(['notify'], 'accept');

    expect(await api.google.labelsOf('notify')).toEqual(before);
    expect(data[0]?.details.suggestions?.map(({ action }) => action)).toEqual(['notify']);
  });

  test.each(['archive', 'delete', 'label', 'notify', 'review'])(
    'accepting %s twice says the second time that nothing was left to change',
    async (action) => {
      await suggest({ [`twice-${action}`]: [suggestion(action)] });
      const [first] = (await confirm([`twice-${action}`], 'accept')).results;
      const [second] = (await confirm([`twice-${action}`], 'accept')).results;

      expect(first).not.toHaveProperty('unchanged');
      expect(second).toMatchObject({ status: 'ok', unchanged: true });
    },
  );

  test('executes what the user saw, whatever the service says by now', async () => {
    await suggest({ seen: [suggestion('archive')] });
    api.ml.behave(respondWithSuggestions([suggestion('delete', 1)]));
    await confirm(['seen'], 'accept');

    expect(await api.google.labelsOf('seen')).not.toContain('TRASH');
  });

  test('archives an email for which nothing was suggested, and says so', async () => {
    const { data } = await confirm(['none'], 'accept');

    expect(await api.google.labelsOf('none')).not.toContain('INBOX');
    expect(data[0]?.details).toEqual({
      source: 'suggestions',
      gmailResponse: { status: 'ok' },
      note: expect.stringMatching(/no suggestion/i),
      labelChange: { added: [], removed: ['INBOX'] },
    });
  });
});

describe('accepting with another action than the suggested one', () => {
  test.each([
    { as: 'delete', labels: ['CATEGORY_PROMOTIONS', 'TRASH', 'UNREAD'] },
    { as: 'mark_read', labels: ['CATEGORY_PROMOTIONS', 'INBOX'] },
    { as: 'archive', labels: ['CATEGORY_PROMOTIONS', 'UNREAD'] },
  ] as const)('does what was chosen: $as', async ({ as, labels }) => {
    const id = `as-${as}`;
    await suggest({ [id]: [suggestion('notify')] });
    const before = await api.google.labelsOf(id);
    const response = await confirm([id], 'accept', { as });

    expect(await api.google.labelsOf(id)).toEqual(labels);
    expect(response).toMatchObject({ action: 'accept', processed: 1, data: [{ action: as, emailId: id }] });
    expect(response.data[0]?.details).toMatchObject({
      source: 'suggestions',
      note: `Suggested: notify (bulk); chosen instead: ${as}.`,
      suggestions: [suggestion('notify')],
    });
    expect(await listHistory()).toEqual(response.data);
    expect((await api.listEvents()).map(({ payload }) => payload)).toMatchObject([
      { type: 'domain.suggestions.confirmed', action: 'accept', emailIds: [id] },
    ]);
    const { body: summary } = await ada.get('/api/v1/suggestions/summary').expect(200);
    expect(summary).toMatchObject({ suggested: 1, accepted: 1, rejected: 0, actions: { notify: 1 } });
    expect(await countStored()).toBe(0);
    // The service may say the same again: it was decided.
    await suggest({ [id]: [suggestion('notify')] });
    expect(await countStored()).toBe(0);

    await ada.post('/api/v1/notifications/history/undo', { ids: [response.data[0]?.id] }).expect(200);
    expect(await api.google.labelsOf(id)).toEqual(before);
  });

  test('puts on a label of the user’s choice, or fails the emails where there can be none', async () => {
    await suggest({ 'as-label': [suggestion('archive')] });
    api.google.fail({ path: /\/labels$/, times: 1, status: 403 });
    expect((await confirm(['as-label'], 'accept', { as: 'label', label: 'Reading' })).results).toEqual([
      { emailId: 'as-label', status: 'error', reason: 'forbidden' },
    ]);
    expect(await countStored()).toBe(1);
    const { data } = await confirm(['as-label'], 'accept', { as: 'label', label: 'Reading' });

    expect(await api.google.labelsOf('as-label')).toContain(await api.google.findLabel('Reading'));
    expect(data[0]?.details).toMatchObject({ label: 'Reading', gmailResponse: { status: 'ok' } });
    expect(await countStored()).toBe(0);
  });

  test('opens the suggestion again when it is undone', async () => {
    await suggest({ 'as-undo': [suggestion('archive')] });
    const { data } = await confirm(['as-undo'], 'accept', { as: 'delete' });
    await ada.post('/api/v1/notifications/history/undo', { ids: [data[0]?.id] }).expect(200);

    expect(await countStored()).toBe(1);
  });

  test('is done once for one idempotency key, and once for the event', async () => {
    await suggest({ 'as-key': [suggestion('archive')] });
    await api.testDatabase.query('TRUNCATE "OutboxEvent"');
    const body = { emailIds: ['as-key'], action: 'accept', as: 'delete' };
    const send = () =>
      ada.post('/api/v1/notifications/confirm', body).set('Idempotency-Key', 'as-key-1').expect(200);
    const first = await send();
    expect((await send()).body).toEqual(first.body);
    expect((await ada.post('/api/v1/notifications/confirm', body).expect(200)).body.results).toMatchObject([
      { status: 'ok', unchanged: true },
    ]);
    expect(await api.listEvents()).toHaveLength(1);
  });

  test.each([
    { as: 'notify' },
    { as: 'mark_unread' },
    { as: 'label' },
    { as: 'delete', label: 'Reading' },
    { label: 'Reading' },
  ])('refuses %o', async (choice) => {
    const body = { emailIds: ['none'], action: 'accept', ...choice };
    await ada.post('/api/v1/notifications/confirm', body).expect(400);
    expect(await listHistory()).toEqual([]);
  });

  test('is nothing that a rejection could have', async () => {
    const body = { emailIds: ['none'], action: 'reject', as: 'delete' };
    await ada.post('/api/v1/notifications/confirm', body).expect(400);
  });
});

describe('rejecting suggestions', () => {
  test('leaves the mailbox as it is, and is remembered', async () => {
    await suggest({ reject: [suggestion('delete')] });
    api.google.heal();
    const { data } = await confirm(['reject'], 'reject');

    expect(api.google.calls).toEqual([]);
    expect(data).toMatchObject([
      {
        emailId: 'reject',
        action: 'reject',
        details: {
          source: 'suggestions',
          gmailResponse: { status: 'skipped' },
          suggestions: [suggestion('delete')],
        },
      },
    ]);
    expect(await listHistory()).toEqual(data);
  });
});

describe('the response of a confirmation', () => {
  test('has the guaranteed fields, and the outcome of each email', async () => {
    const response = await confirm(['ok', 'unknown', 'ok'], 'accept');

    expect(response).toEqual({
      success: true,
      processed: 1,
      emailIds: ['ok', 'unknown'],
      action: 'accept',
      data: [
        expect.objectContaining({ emailId: 'ok', userId: ada.userId, action: 'accept', undoneAt: null }),
      ],
      execution: 'partial',
      summary: { total: 2, processed: 1, failed: 1 },
      results: [
        { emailId: 'ok', status: 'ok', recordId: expect.any(String) },
        { emailId: 'unknown', status: 'error', reason: 'not_found' },
      ],
    });
    expect(ConfirmResponseSchema.parse(response)).toEqual(response);
  });

  test('holds exactly the records of the history, with details.source suggestions', async () => {
    const { data } = await confirm(['r1', 'r2'], 'accept');

    expect(await listHistory()).toEqual(data.toReversed());
    expect(data.map(({ details }) => details.source)).toEqual(['suggestions', 'suggestions']);
  });
});

describe('the event domain.suggestions.confirmed', () => {
  test('is published once, about exactly the emails that were processed', async () => {
    await confirm(['e1', 'unknown', 'e2'], 'accept');

    const [event, ...others] = await api.listEvents();
    expect(others).toEqual([]);
    expect(event?.payload).toEqual({
      type: 'domain.suggestions.confirmed',
      userId: ada.userId,
      action: 'accept',
      emailIds: ['e1', 'e2'],
      summary: { totalConfirmed: 2, action: 'accept' },
      generatedAt: expect.stringMatching(/Z$/),
    });
    expect(SuggestionsConfirmedEventSchema.safeParse(event?.payload).success).toBe(true);
  });

  test('is published for a rejection too', async () => {
    await confirm(['e3'], 'reject');

    expect((await api.listEvents()).map(({ payload }) => payload)).toMatchObject([
      { action: 'reject', emailIds: ['e3'], summary: { totalConfirmed: 1, action: 'reject' } },
    ]);
  });

  test('is not published when nothing was processed', async () => {
    const response = await confirm(['unknown'], 'accept');

    expect(response).toMatchObject({ success: true, processed: 0, data: [], execution: 'none' });
    expect(await api.listEvents()).toEqual([]);
    expect(await listHistory()).toEqual([]);
  });
});

describe('a label that can’t be made', () => {
  test('fails the emails that want it, and no others', async () => {
    const newsletter = { ...suggestion('label'), classification: 'newsletter' };
    await suggest({ l1: [newsletter], l2: [suggestion('archive')], l3: [newsletter] });
    api.google.fail({ path: /\/labels$/, times: 1, status: 403 });
    const response = await confirm(['l1', 'l2', 'l3'], 'accept');

    expect(response).toMatchObject({
      processed: 1,
      execution: 'partial',
      results: [
        { emailId: 'l1', status: 'error', reason: 'forbidden' },
        { emailId: 'l2', status: 'ok' },
        { emailId: 'l3', status: 'error', reason: 'forbidden' },
      ],
    });
  });
});

describe('R43: more labels than one request may create', () => {
  test('fail the last emails that want one with a reason, within a bounded number of calls', async () => {
    await suggest(
      Object.fromEntries(MANY.map((id) => [id, [{ ...suggestion('label'), classification: `class ${id}` }]])),
    );
    api.google.heal();
    const response = await confirm(MANY, 'accept');

    expect(response.results).toEqual(
      MANY.map((emailId, index) =>
        index < 10
          ? { emailId, status: 'ok', recordId: expect.any(String) }
          : { emailId, status: 'error', reason: 'too_many_labels' },
      ),
    );
    expect(api.google.calls.filter(({ path }) => /\/labels(\?|$)/.test(path))).toHaveLength(11);
    expect(await api.google.findLabel('Mailsweep/class many9')).toBeDefined();
    expect(await api.google.findLabel('Mailsweep/class many10')).toBeUndefined();

    // Accepted once more, the labels of before are found and the next ones created.
    expect((await confirm(MANY, 'accept')).summary).toEqual({ total: 40, processed: 20, failed: 20 });
  });
});

/** Shows the user these suggestions, by email id. */
const suggest = async (suggestions: Record<string, Suggestion[]>) => {
  api.ml.behave(respondWithSuggestions(({ id }) => suggestions[id] ?? []));
  await ada.get('/api/v1/suggestions?pageSize=100').expect(200);
};

const confirm = async (
  emailIds: string[],
  action: 'accept' | 'reject',
  choice: Pick<ConfirmRequest, 'as' | 'label'> = {},
) => {
  await api.testDatabase.query('TRUNCATE "OutboxEvent"');
  const response = await ada
    .post('/api/v1/notifications/confirm', { emailIds, action, ...choice })
    .expect(200);
  return ConfirmResponseSchema.parse(response.body);
};

const countStored = async (): Promise<number> =>
  (await ada.get('/api/v1/suggestions/stored').expect(200)).body.total;

const listHistory = async (): Promise<ActionHistoryRecord[]> =>
  (await ada.get('/api/v1/notifications/history').expect(200)).body.data;

const MANY = Array.from({ length: 40 }, (_, index) => `many${index}`);
const IDS =
  'twice-archive twice-delete twice-label twice-notify twice-review archive delete label1 label2 notify best seen none reject ok r1 r2 e1 e2 e3 l1 l2 l3 as-delete as-mark_read as-archive as-label as-undo as-key'
    .split(' ')
    .concat(MANY);

let api: ApiHarness;
let ada: ApiClient;
beforeAll(async () => {
  api = await startApi({ mail: { 'ada@example.com': IDS.map((id) => ({ id })) } });
  ada = await api.signIn();
});
beforeEach(async () => {
  api.google.heal();
  await api.testDatabase.query('TRUNCATE "ActionHistory", "EmailSuggestion"');
});
afterAll(() => api.close());
