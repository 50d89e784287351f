import { ScanSchema } from '@mailsweep/contracts';
import { createMaintenance } from '@mailsweep/core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, createClient, startApi } from '../../testing/api-harness.ts';

describe('POST /api/v1/scans', () => {
  test('begins a scan, of everything by default, whose first step is due', async () => {
    const { body } = await ada.post('/api/v1/scans').set('content-type', 'application/json').expect(202);
    expect(ScanSchema.parse(body)).toMatchObject({
      state: 'queued',
      scope: 'all',
      scanned: 0,
      etaSeconds: null,
      error: null,
      finishedAt: null,
    });
    expect(await createMaintenance(api.testDatabase.database).work.claim('scan')).toMatchObject({
      id: body.id,
    });
  });

  test('returns the scan in flight while there is one, on whatever replica, asked however often', async () => {
    const replica = await api.startReplica();
    const there = createClient(replica.url, ada.token);
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        (index % 2 ? ada : there).post('/api/v1/scans', { scope: 'inbox' }),
      ),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 202]);
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1);
    expect(responses[0]?.body.scope).toBe('inbox');
  });

  test('takes no other scope and no other field', async () => {
    await ada.post('/api/v1/scans', { scope: 'spam' }).expect(400);
    await ada.post('/api/v1/scans', { force: true }).expect(400);
  });
});

describe('a scan', () => {
  test('is shown to its owner alone', async () => {
    const { body: scan } = await ada.post('/api/v1/scans');
    expect((await ada.get(`/api/v1/scans/${scan.id}`).expect(200)).body).toEqual(scan);
    await grace.get(`/api/v1/scans/${scan.id}`).expect(404);
    await grace.post(`/api/v1/scans/${scan.id}/cancel`).expect(404);
    expect((await grace.get('/api/v1/scans').expect(200)).body).toMatchObject({ total: 0, data: [] });
    expect((await ada.get(`/api/v1/scans/${scan.id}`)).body.state).toBe('queued');
    await ada.get('/api/v1/scans/1').expect(400);
  });

  test('is sent again only once it has changed', async () => {
    const { body: scan } = await ada.post('/api/v1/scans', {}).expect(202);
    const path = `/api/v1/scans/${scan.id}`;
    const first = await ada.get(path).expect(200);
    expect(first.headers['cache-control']).toBe('no-store');
    const { etag = '' } = first.headers;
    const same = await ada.get(path).set('if-none-match', etag).expect(304);
    expect(same.text).toBe('');
    await ada.get(path).set('if-none-match', `"other", W/${etag}`).expect(304);
    await ada.get(path).set('if-none-match', '*').expect(200);
    await grace.get(path).set('if-none-match', etag).expect(404);

    await ada.post(`${path}/cancel`).expect(200);
    const changed = await ada.get(path).set('if-none-match', etag).expect(200);
    expect(changed.body.state).toBe('cancelled');
    expect(changed.headers.etag).not.toBe(etag);
  });

  test('ends when it is cancelled, once, and another can begin half a minute later', async () => {
    const { body: scan } = await ada.post('/api/v1/scans');
    const { body: cancelled } = await ada.post(`/api/v1/scans/${scan.id}/cancel`).expect(200);
    expect(cancelled).toMatchObject({ state: 'cancelled', finishedAt: expect.any(String) });
    expect((await ada.post(`/api/v1/scans/${scan.id}/cancel`).expect(200)).body).toEqual(cancelled);

    const refused = await ada.post('/api/v1/scans').expect(429);
    expect(refused.body).toMatchObject({ code: 'too_many_scans' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(25);
    await forgetCancelling();
    const { body: next } = await ada.post('/api/v1/scans').expect(202);
    const { body: list } = await ada.get('/api/v1/scans?perPage=1').expect(200);
    expect(list).toMatchObject({ total: 2, page: 1, perPage: 1, data: [{ id: next.id }] });
  });

  test('is not started again for a while by a user who has started and cancelled 20 of them', async () => {
    for (let started = 0; started < 20; started += 1) {
      const { body: scan } = await ada.post('/api/v1/scans').expect(202);
      await ada.post(`/api/v1/scans/${scan.id}/cancel`).expect(200);
      await forgetCancelling();
    }

    const refused = await ada.post('/api/v1/scans').expect(429);
    expect(refused.body).toMatchObject({ code: 'too_many_scans' });
    expect(refused.headers['retry-after']).toBe('60');
    await grace.post('/api/v1/scans').expect(202);

    await api.testDatabase.query(`UPDATE "MailboxScan" SET "createdAt" = now() - interval '61 s'`);
    await ada.post('/api/v1/scans').expect(202);
  });
});

const forgetCancelling = () =>
  api.testDatabase.query(`UPDATE "MailboxScan" SET "finishedAt" = "finishedAt" - interval '31 s'`);

let api: ApiHarness;
let ada: ApiClient;
let grace: ApiClient;
beforeAll(async () => {
  api = await startApi();
  ada = await api.signIn();
  grace = await api.signIn('grace@example.com');
});
beforeEach(() => api.testDatabase.query('TRUNCATE "MailboxScan"'));
afterAll(() => api.close());
