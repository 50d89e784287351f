import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiHarness, createClient, startApi } from '../testing/api-harness.ts';
import { startHangingGmail } from '../testing/hanging-gmail.ts';

describe('R32: an API with more to do than it may take on', () => {
  test('refuses further requests to a provider that hangs, and serves everything else', async () => {
    const gmail = await startHangingGmail();
    const replica = await api.startReplica({ GMAIL_BASE_URL: gmail.url }, { slots: 5 });
    const ada = createClient(replica.url, (await api.signIn()).token);
    const waiting = Array.from({ length: 4 }, () =>
      ada.get('/api/v1/emails').then((response) => response.status),
    );
    await expect.poll(() => gmail.held.length).toBe(4);

    const refused = await ada.get('/api/v1/suggestions').expect(503);
    expect(refused.body).toMatchObject({ code: 'overloaded', status: 503 });
    expect(refused.headers['retry-after']).toBe('1');
    await ada.get('/api/v1/me').expect(200);
    await ada.get('/api/v1/notifications/history').expect(200);
    await supertest(replica.url).get('/api/v1/health').expect(200);
    const metrics = (await supertest(replica.operationsUrl).get('/metrics')).text;
    expect(metrics).toMatch(/mailsweep_shed_requests_total\{reason="mailbox",.*\} 1/);

    gmail.release();
    expect(await Promise.all(waiting)).toEqual([503, 503, 503, 503]);
    await expect.poll(async () => (await ada.get('/api/v1/me')).status).toBe(200);
  });

  test('goes on serving its documentation', async () => {
    const gmail = await startHangingGmail();
    const replica = await api.startReplica({ GMAIL_BASE_URL: gmail.url }, { slots: 1 });
    const ada = createClient(replica.url, (await api.signIn()).token);
    const waiting = ada.get('/api/v1/emails').then((response) => response.status);
    await expect.poll(() => gmail.held.length).toBe(1);

    await ada.get('/api/v1/me').expect(503);
    for (const path of ['/docs', '/docs/swagger-ui.css', '/openapi.json']) await ada.get(path).expect(200);
    gmail.release();
    expect(await waiting).toBe(503);
  });
});

let api: ApiHarness;
beforeAll(async () => {
  api = await startApi({ mail: { 'ada@example.com': [{ id: 'one' }] } });
});
afterAll(() => api.close());
