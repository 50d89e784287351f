import { randomUUID } from 'node:crypto';
import { eventually } from '@mailsweep/event-bus/testing';
import { respondWithSuggestions } from '@mailsweep/ml-client/testing';
import { VERSION } from '@mailsweep/service-kit';
import { type FaultProxy, openFaultProxy } from '@mailsweep/service-kit/testing';
import supertest from 'supertest';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, createClient, startApi } from '../testing/api-harness.ts';

describe('the operators’ port of the API', () => {
  test('says that the process lives and that it is ready', async () => {
    await supertest(api.operationsUrl).get('/health').expect(200, { status: 'ok', version: VERSION });
    await supertest(api.operationsUrl).get('/ready').expect(200, { status: 'ready', failing: [] });
  });

  test('says that the API is not ready while its database is down, and still gives metrics', async () => {
    proxy.cut();
    await supertest(api.operationsUrl).get('/health').expect(200);
    await supertest(api.operationsUrl)
      .get('/ready')
      .expect(503, { status: 'not_ready', failing: ['database', 'queue'] });
    const metrics = await readMetrics();
    expect(metrics).toContain('process_resident_memory_bytes');
    expect(metrics).not.toMatch(/^mailsweep_(outbox|action_intents)_\w+\{.*\} \d/m);
  });

  test('says that the API serves on while the queue takes no jobs', async () => {
    const other = await api.startReplica();
    await api.testDatabase.query('REVOKE INSERT ON bullmq.job FROM mailsweep_service');
    try {
      await supertest(other.operationsUrl)
        .get('/ready')
        .expect(200, { status: 'ready', failing: ['queue'] });
    } finally {
      await api.testDatabase.query('GRANT INSERT ON bullmq.job TO mailsweep_service');
    }
    await supertest(other.operationsUrl).get('/ready').expect(200, { status: 'ready', failing: [] });
  });

  test('is another than the public one', async () => {
    for (const path of ['/metrics', '/ready', '/health']) await supertest(api.url).get(path).expect(404);
  });
});

describe('the metrics of the API', () => {
  test('count requests by the pattern of their route, with their times', async () => {
    await ada.get('/api/v1/notifications/history?page=2').expect(200);
    await ada.get(`/api/v1/notifications/history/${randomUUID()}/undo`).expect(405);
    await ada.post(`/api/v1/notifications/history/${randomUUID()}/undo`).expect(404);
    await supertest(api.url).get('/auth/idp/callback').expect(302);
    await supertest(api.url).get('/api/v1/me').expect(401);

    await expectMetrics([
      /requests_total\{method="GET",route="\/api\/v1\/notifications\/history",status="200",.*\} 1/,
      /requests_total\{method="GET",route="unmatched",status="405",.*\} \d/,
      /requests_total\{method="POST",route="\/api\/v1\/notifications\/history\/:\w+\/undo",status="404",.*\} 1/,
      /requests_total\{method="GET",route="\/auth\/idp\/callback",status="302",.*\} \d/,
      /requests_total\{method="GET",route="\/api\/v1\/me",status="401",.*\} 1/,
      /duration_seconds_bucket\{le="\+Inf",.*route="\/api\/v1\/notifications\/history"\} 1/,
    ]);
  });

  test('count a client that did not wait for its response', async () => {
    const asked = new AbortController();
    api.ml.behave(() => asked.abort());
    await fetch(`${api.url}/api/v1/suggestions`, {
      headers: { cookie: ada.cookie },
      signal: asked.signal,
    }).catch(() => undefined);

    await expectMetrics([/requests_total\{method="GET",route="\/api\/v1\/suggestions",status="499",.*\} 1/]);
  });

  test('count calls of the classification service, and show the state of its breaker', async () => {
    const replica = await api.startReplica({}, { breakerPauseMs: 3_600_000 });
    const advice = { action: 'read_first', classification: 'bulk', confidence_score: 0.9 };
    api.ml.behave(respondWithSuggestions([advice]));
    const client = createClient(replica.url, ada.token);
    await client.get('/api/v1/suggestions').expect(200);
    api.ml.behave((response) => response.writeHead(500).end());
    for (let call = 0; call < 6; call += 1) await client.get('/api/v1/suggestions').expect(200);

    await expectMetrics(
      [
        /ml_calls_total\{outcome="ok",.*\} 1/,
        /ml_advice_total\{.*\} [1-9]/,
        /ml_calls_total\{outcome="ml_status",.*\} 5/,
        /ml_calls_total\{outcome="ml_circuit_open",.*\} 1/,
        /ml_breaker_state\{state="open",.*\} 1/,
        /ml_breaker_state\{state="closed",.*\} 0/,
      ],
      replica.operationsUrl,
    );
  });

  test('count errors of the mailbox, of whole calls and of single messages', async () => {
    await ada.post('/api/v1/inbox/actions', { emailIds: ['one', 'gone'], action: 'mark_unread' }).expect(200);
    api.google.fail({ path: /\/messages\?/, times: 1, status: 503, headers: { 'retry-after': '3600' } });
    await ada.get('/api/v1/emails').expect(503);

    await expectMetrics([
      /mailbox_errors_total\{reason="not_found",.*\} 1/,
      /mailbox_errors_total\{reason="mailbox_unavailable",.*\} 1/,
    ]);
  });

  test('count the provider’s quota: units taken, calls not made, and being asked to slow down', async () => {
    const replica = await api.startReplica();
    const client = createClient(replica.url, ada.token);
    await client.get('/api/v1/emails').expect(200);
    api.google.fail({ path: /\/messages\?/, times: 1, status: 429, headers: { 'retry-after': '3600' } });
    await client.get('/api/v1/emails').expect(503);
    await client.get('/api/v1/emails').expect(503);

    await expectMetrics(
      [
        /quota_units_total\{priority="interactive",.*\} [1-9]/,
        /quota_given_up_total\{priority="interactive",.*\} [1-9]/,
        /quota_pauses_total\{.*\} 1/,
      ],
      replica.operationsUrl,
    );
    // Replicas share the pause.
    await api.testDatabase.query('DELETE FROM "QuotaLedger"');
  });

  test('count who was refused for making too many requests', async () => {
    const replica = await api.startReplica({ API_RATE_LIMIT_PER_MINUTE: '1' });
    const client = createClient(replica.url, ada.token);
    await client.get('/api/v1/me').expect(200);
    await client.get('/api/v1/me').expect(429);

    await expectMetrics([/rate_limited_requests_total\{limit="api",.*\} 1/], replica.operationsUrl);
  });

  test('show the queues, the outbox and the mailbox changes in flight', async () => {
    await api.testDatabase.query(
      `INSERT INTO "ActionIntent" ("id", "userId", "plan", "requestedAt", "leasedUntil")
       VALUES ('${randomUUID()}', '${ada.userId}', '{}', now() - interval '90 seconds', now() + interval '1 hour')`,
    );

    await expectMetrics([
      /action_intents_pending\{.*\} 1/,
      /action_intents_oldest_seconds\{.*\} 9\d/,
      /outbox_unpublished\{.*\} 0/,
      /outbox_oldest_unpublished_seconds\{.*\} 0/,
      /queue_jobs\{queue="domain-events",state="waiting",.*\} \d/,
      /dead_letters\{queue="deliver-persist",.*\} 0/,
      /nodejs_eventloop_lag_p99_seconds\{.*\} [\d.]+/,
    ]);
    await api.testDatabase.query('DELETE FROM "ActionIntent"');
  });

  test('R34: hold no ids, addresses or email', async () => {
    await ada.get('/api/v1/emails').expect(200);
    await ada.post('/api/v1/inbox/actions', { emailIds: ['one'], action: 'archive' }).expect(200);

    expect(await readMetrics()).not.toMatch(
      new RegExp(`${ada.userId}|ada@|shop\\.example|Subject|${ada.token}`),
    );
  });
});

const readMetrics = async (url = api.operationsUrl): Promise<string> =>
  (await supertest(url).get('/metrics').expect(200)).text;

/** Some figures are taken when a connection closes, a moment after the response. */
const expectMetrics = (patterns: RegExp[], url?: string) =>
  eventually(async () => {
    const metrics = await readMetrics(url);
    for (const pattern of patterns) expect(metrics).toMatch(pattern);
  });

let proxy: FaultProxy;
let api: ApiHarness;
let ada: ApiClient;
beforeAll(async () => {
  api = await startApi({
    mail: { 'ada@example.com': [{ id: 'one' }] },
    routeDatabase: async (databaseUrl) => {
      proxy = await openFaultProxy(databaseUrl);
      return proxy.url;
    },
  });
  ada = await api.signIn();
});
afterEach(() => {
  proxy.heal();
  api.google.heal();
});
afterAll(async () => {
  await api.close();
  await proxy.close();
});
