import { MAX_RULES, type Rule } from '@mailsweep/contracts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, startApi } from '../../testing/api-harness.ts';

const SHOP = 'Shop <offers@shop.example>';
const NEWS = 'News <news@paper.example>';
const UNKNOWN_ID = '0197a3c4-6666-7e8f-9a0b-1c2d3e4f5a6b';

const create = async (more: object = {}): Promise<Rule> => {
  const { body } = await ada
    .post('/api/v1/rules', {
      condition: { type: 'sender', sender: await idOf(SHOP) },
      olderThan: 0,
      action: 'archive',
      ...more,
    })
    .expect(200);
  return body;
};

describe('the routes of rules', () => {
  test('make a rule, which is disabled unless it is to be enabled, list, change and delete it', async () => {
    const rule = await create();
    expect(rule).toMatchObject({
      condition: { type: 'sender', sender: await idOf(SHOP), from: SHOP },
      olderThan: 0,
      action: 'archive',
      label: null,
      enabled: false,
      pausedReason: null,
      nextRunAt: null,
      lastRun: null,
      counts: { runs: 0, actions: 0, undone: 0 },
    });
    const receipts = await create({
      condition: { type: 'classification', classification: 'receipt' },
      olderThan: 3,
      action: 'label',
      label: ' Receipts ',
      enabled: true,
    });
    expect(receipts).toMatchObject({
      condition: { type: 'classification', classification: 'receipt', minConfidence: 0.75 },
      label: 'Receipts',
      enabled: true,
      nextRunAt: expect.any(String),
    });
    expect((await ada.get('/api/v1/rules').expect(200)).body).toEqual({
      total: 2,
      page: 1,
      perPage: 20,
      data: [receipts, rule],
    });

    const { body: changed } = await ada
      .patch(`/api/v1/rules/${rule.id}`, { olderThan: 14, action: 'label', label: 'Offers', enabled: true })
      .expect(200);
    expect(changed).toMatchObject({
      id: rule.id,
      olderThan: 14,
      action: 'label',
      label: 'Offers',
      enabled: true,
    });
    expect((await ada.get(`/api/v1/rules/${rule.id}`).expect(200)).body).toEqual(changed);
    const { body: archiving } = await ada
      .patch(`/api/v1/rules/${rule.id}`, { action: 'archive' })
      .expect(200);
    expect(archiving).toMatchObject({ action: 'archive', label: null, enabled: true });

    await ada.delete(`/api/v1/rules/${rule.id}`).expect(204);
    await ada.delete(`/api/v1/rules/${rule.id}`).expect(404);
    expect((await ada.get('/api/v1/rules').expect(200)).body.data).toEqual([receipts]);
  });

  test('keep the newest emails of senders alone, whatever is changed first', async () => {
    const rule = await create({ keepNewest: 3 });
    expect(rule).toMatchObject({ keepNewest: 3, olderThan: 0 });
    const change = (body: object) => ada.patch(`/api/v1/rules/${rule.id}`, body);
    const condition = { type: 'classification', classification: 'bulk' };
    const { body: problem } = await change({ condition }).expect(400);
    expect(problem.errors).toMatchObject([{ path: 'keepNewest' }]);
    expect((await change({ condition, keepNewest: null }).expect(200)).body).toMatchObject({
      condition,
      keepNewest: null,
    });
    await change({ keepNewest: 3 }).expect(400);
  });

  test('a rule keeps a sender whose email is gone when another is added', async () => {
    const rule = await create();
    const sender = await idOf(SHOP);
    await api.testDatabase.query(
      `DELETE FROM "CachedMessage" WHERE "senderKey" = decode('${sender}', 'hex')`,
    );
    const change = (senders: string[]) =>
      ada.patch(`/api/v1/rules/${rule.id}`, { condition: { type: 'any', senders, classifications: [] } });
    const { body } = await change([sender, await idOf(NEWS)]).expect(200);
    expect(body.condition.senders).toMatchObject([{ from: SHOP }, { from: NEWS }]);
    await change([await idOf(NEWS)]).expect(200);
    const { body: problem } = await change([sender, await idOf(NEWS)]).expect(400);
    expect(problem.errors).toMatchObject([{ path: 'condition.senders.0' }]);
  });

  test('hand enabled rules, or a chosen one, over to others, without those that cannot be said', async () => {
    const shop = await create({ enabled: true });
    const news = await create({ condition: { type: 'sender', sender: await idOf(NEWS) } });
    const later = await create({ enabled: true, olderThan: 7, action: 'delete' });
    const all = await ada.get('/api/v1/rules/export?format=sieve').expect(200);
    expect(all.body).toMatchObject({
      fileName: 'mailsweep.sieve',
      mediaType: 'application/sieve',
      content: expect.stringContaining('if address :is "from" ["offers@shop.example"] {'),
      exported: [shop.id],
      leftOut: [
        { ruleId: later.id, reasons: ['age'] },
        { ruleId: news.id, reasons: ['disabled'] },
      ],
    });
    const chosen = await ada.get(`/api/v1/rules/export?format=gmail&ruleId=${news.id}`).expect(200);
    expect(chosen.body).toMatchObject({
      mediaType: 'application/atom+xml',
      content: expect.stringContaining("value='&quot;news@paper.example&quot;'"),
      exported: [news.id],
      leftOut: [],
    });
    await ada.post('/api/v1/protections', { name: 'shop.example' }).expect(200);
    const spared = await ada.get(`/api/v1/rules/export?format=gmail&ruleId=${shop.id}`).expect(200);
    expect(spared.body.leftOut).toEqual([{ ruleId: shop.id, reasons: ['protected_sender'] }]);

    await ada.get(`/api/v1/rules/export?format=gmail&ruleId=${UNKNOWN_ID}`).expect(404);
    for (const query of ['?format=xml', '?format=gmail&ruleId=1', '?format=gmail&all=true'])
      await ada.get(`/api/v1/rules/export${query}`).expect(400);
  });

  test('are listed in the audit trail, with the session that changed the rule', async () => {
    const rule = await create();
    await ada.patch(`/api/v1/rules/${rule.id}`, { enabled: true }).expect(200);
    await ada.delete(`/api/v1/rules/${rule.id}`).expect(204);
    const { body: audit } = await ada.get('/api/v1/me/audit?perPage=3').expect(200);
    const entry = {
      sessionId: expect.any(String),
      address: expect.any(String),
      details: { ruleId: rule.id },
    };
    expect(audit.data).toMatchObject([
      { ...entry, event: 'rule_deleted' },
      { ...entry, event: 'rule_changed', details: { ruleId: rule.id, enabled: 'true' } },
      { ...entry, event: 'rule_created' },
    ]);
  });

  test('store the sender encrypted', async () => {
    await create();
    const [row] = await api.testDatabase.query<{ text: string }>(
      'SELECT rule::text AS "text" FROM "Rule" AS rule',
    );
    expect(row?.text).not.toMatch(/shop/i);
  });

  test.each([
    ['a sender id', { condition: { type: 'sender', sender: 'shop' } }, 'condition.sender'],
    ['an unknown sender', { condition: { type: 'sender', sender: '0'.repeat(64) } }, 'condition.sender'],
    ['a condition', { condition: { type: 'subject' } }, 'condition.type'],
    [
      'a confidence',
      { condition: { type: 'classification', classification: 'bulk', minConfidence: 1.1 } },
      'condition.minConfidence',
    ],
    ['an age', { olderThan: -1 }, 'olderThan'],
    ['an action', { action: 'accept' }, 'action'],
    ['a label', { action: 'label' }, 'label'],
    ['no label for another action', { label: 'Offers' }, 'label'],
    ['a switch', { enabled: 'yes' }, 'enabled'],
    ['a number of emails to keep', { keepNewest: 0 }, 'keepNewest'],
    [
      'senders alone whose newest emails are kept',
      { condition: { type: 'any', classifications: ['bulk'] }, keepNewest: 1 },
      'keepNewest',
    ],
  ])('name the field of a body without %s', async (_name, more, path) => {
    const body = {
      condition: { type: 'sender', sender: await idOf(SHOP) },
      olderThan: 0,
      action: 'archive',
      ...more,
    };
    const { body: problem } = await ada.post('/api/v1/rules', body).expect(400);
    expect(problem).toMatchObject({ code: 'validation_failed', errors: [{ path }] });
    expect((await ada.get('/api/v1/rules').expect(200)).body.total).toBe(0);
  });

  test('name the field of a change', async () => {
    const rule = await create();
    for (const [body, path] of [
      [{ condition: { type: 'sender', sender: '0'.repeat(64) } }, 'condition.sender'],
      [{ action: 'label' }, 'label'],
      [{ label: 'Offers' }, 'label'],
      [{ olderThan: 0.5 }, 'olderThan'],
    ] as const) {
      const { body: problem } = await ada.patch(`/api/v1/rules/${rule.id}`, body).expect(400);
      expect(problem).toMatchObject({ code: 'validation_failed', errors: [{ path }] });
    }
    expect((await ada.get(`/api/v1/rules/${rule.id}`).expect(200)).body).toEqual(rule);
  });

  test('take several senders and classifications in one rule, each once', async () => {
    const [shop, news] = await Promise.all([SHOP, NEWS].map(idOf));
    const classifications = ['bulk', 'receipt', 'bulk'];
    const rule = await create({ condition: { type: 'any', senders: [shop, news, shop], classifications } });
    expect(rule.condition).toEqual({
      type: 'any',
      senders: [
        { sender: shop, from: SHOP },
        { sender: news, from: NEWS },
      ],
      classifications: ['bulk', 'receipt'],
      minConfidence: 0.75,
    });
    const { body: plan } = await ada.post(`/api/v1/rules/${rule.id}/preview`).expect(200);
    expect(new Set(plan.sample.map(({ from }: { from: string }) => from))).toEqual(new Set([SHOP, NEWS]));
    const { body: changed } = await ada
      .patch(`/api/v1/rules/${rule.id}`, { condition: { type: 'any', senders: [news] } })
      .expect(200);
    expect(changed.condition).toEqual({ type: 'sender', sender: news, from: NEWS });
    expect(await api.testDatabase.query('SELECT FROM "RuleSender"')).toHaveLength(1);

    for (const [condition, path] of [
      [{ type: 'any' }, 'condition.senders'],
      [{ type: 'any', senders: [shop, '0'.repeat(64)] }, 'condition.senders.1'],
      [{ type: 'any', classifications: Array.from({ length: 51 }, String) }, 'condition.classifications'],
    ] as const) {
      const body = { condition, olderThan: 0, action: 'archive' };
      const refused = await ada.post('/api/v1/rules', body).expect(400);
      expect(refused.body.errors[0].path).toBe(path);
    }
  });

  test('limit the number of rules', async () => {
    await api.testDatabase.query(
      `INSERT INTO "Rule" ("id", "userId", "classifications", "minConfidence", "olderThan", "action")
       SELECT gen_random_uuid(), $1, '{bulk}', 0.5, 0, 'archive' FROM generate_series(1, ${MAX_RULES})`,
      [ada.userId],
    );
    const body = {
      condition: { type: 'classification', classification: 'bulk' },
      olderThan: 0,
      action: 'archive',
    };
    const refused = await ada.post('/api/v1/rules', body).expect(409);
    expect(refused.body).toMatchObject({ code: 'too_many_rules' });
    const grace = await api.signIn('grace@example.com');
    await grace.post('/api/v1/rules', body).expect(200);
  });

  test('know no rule of others, and none that is not there', async () => {
    const rule = await create();
    const grace = await api.signIn('grace@example.com');
    for (const id of [rule.id, UNKNOWN_ID]) {
      await grace.get(`/api/v1/rules/${id}`).expect(404);
      await grace.patch(`/api/v1/rules/${id}`, { enabled: true }).expect(404);
      await grace.delete(`/api/v1/rules/${id}`).expect(404);
      for (const command of ['preview', 'run', 'undo']) {
        await grace.post(`/api/v1/rules/${id}/${command}`).expect(404);
      }
    }
    expect((await ada.get(`/api/v1/rules/${rule.id}`).expect(200)).body).toEqual(rule);
  });
});

describe('a rule', () => {
  test('is planned as a cleanup, with a sample and what it leaves out', async () => {
    const rule = await create({ condition: { type: 'sender', sender: await idOf(SHOP) }, action: 'delete' });
    const { body: plan } = await ada.post(`/api/v1/rules/${rule.id}/preview`).expect(200);
    expect(plan).toMatchObject({
      ruleId: rule.id,
      state: 'planned',
      action: 'delete',
      total: 1,
      excluded: { starred: 1 },
      sample: [{ id: 'one', from: SHOP }],
    });
    expect((await ada.get(`/api/v1/rules/${rule.id}`).expect(200)).body).toEqual(rule);
    await ada.post(`/api/v1/cleanups/${plan.id}/run`).expect(200);
    expect((await ada.get(`/api/v1/rules/${rule.id}`).expect(200)).body).toMatchObject({
      lastRun: { cleanupId: plan.id, batchId: plan.batchId, state: 'queued' },
      counts: { runs: 1 },
    });
  });

  test('is run on demand, once for each idempotency key, and not twice at a time', async () => {
    const rule = await create();
    const run = () => ada.post(`/api/v1/rules/${rule.id}/run`).set('Idempotency-Key', 'run-1');
    const { body: first } = await run().expect(200);
    expect(first.excluded).toEqual({ starred: 1 });
    expect(first).toMatchObject({ ruleId: rule.id, state: 'queued', total: 1 });
    expect((await run().expect(200)).body).toEqual(first);
    const busy = await ada.post(`/api/v1/rules/${rule.id}/run`).expect(409);
    expect(busy.body).toMatchObject({ code: 'wrong_state' });
    await ada.post(`/api/v1/rules/${rule.id}/undo`).expect(409);
    expect((await ada.get('/api/v1/cleanups').expect(200)).body.total).toBe(1);

    await ada.patch(`/api/v1/rules/${rule.id}`, { enabled: true }).expect(200);
    await ada.patch(`/api/v1/rules/${rule.id}`, { enabled: false }).expect(200);
    expect((await ada.get(`/api/v1/cleanups/${first.id}`).expect(200)).body.state).toBe('cancelled');
    await ada.post(`/api/v1/rules/${rule.id}/undo`).expect(200);
  });
});

const idOf = async (from: string): Promise<string> => {
  const { body } = await ada.get('/api/v1/senders').expect(200);
  return body.data.find((sender: { from: string }) => sender.from === from)?.id ?? '';
};

let api: ApiHarness;
let ada: ApiClient;
beforeEach(async () => {
  api = await startApi({
    mail: {
      'ada@example.com': [
        { id: 'one', from: SHOP },
        { id: 'two', from: SHOP, labelIds: ['INBOX', 'STARRED'] },
        { id: 'three', from: NEWS },
      ],
      'grace@example.com': [],
    },
  });
  ada = await api.signIn();
  await ada.get('/api/v1/emails').expect(200);
  // The mailbox had no history when it was first read, so the cache is rebuilt.
  await ada.get('/api/v1/emails').expect(200);
});
afterEach(() => api.close());
