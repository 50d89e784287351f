import type { ServerResponse } from 'node:http';
import { eventually } from '@mailsweep/event-bus/testing';
import { drip, reset, respondWithSuggestions } from '@mailsweep/ml-client/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, startApi } from '../../testing/api-harness.ts';

const ML_TIMEOUT_MS = 400;

const send = (
  response: ServerResponse,
  status: number,
  body: string,
  headers: Record<string, string> = {},
) => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
};

const FAILURES: [name: string, reply: (response: ServerResponse) => void][] = [
  ['responds with 500', (response) => send(response, 500, '{}')],
  ['responds with 401', (response) => send(response, 401, '{}')],
  ['keeps responding with 503', (response) => send(response, 503, '{}')],
  ['sends us elsewhere', (response) => send(response, 302, '', { location: 'http://127.0.0.1:1/' })],
  ['responds with a web page', (response) => send(response, 200, '<html>', { 'content-type': 'text/html' })],
  ['responds with nothing', (response) => send(response, 200, '')],
  ['responds in an unknown shape', (response) => send(response, 200, '{"result":"archive everything"}')],
  ['responds with a number', (response) => send(response, 200, '42')],
  ['speaks of other emails only', (response) => send(response, 200, '[{"id":"foreign","suggestions":[]}]')],
  ['responds with 10 MB', (response) => send(response, 200, `[${' '.repeat(10_000_000)}]`)],
  ['never responds', () => undefined],
  ['stops after its headers', (response) => response.writeHead(200).flushHeaders()],
  ['drips', (response) => drip(response, [], 1)],
  ['hangs up', (response) => response.destroy()],
  ['resets the connection', (response) => reset(response, [], 1)],
  [
    'responds with NaN',
    (response) =>
      send(
        response,
        200,
        '[{"id":"one","suggestions":[{"action":"archive","classification":"bulk","confidence_score":NaN}]}]',
      ),
  ],
  [
    'speaks TLS',
    (response) =>
      response.socket?.end(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03])),
  ],
];

describe('R20: when the classification service', () => {
  test.each(FAILURES)('%s, the response is still 200, in the fallback form', async (_name, reply) => {
    api.ml.behave((response) => reply(response));
    const startedMs = performance.now();
    const fallback = await ada.get('/api/v1/suggestions').expect(200);

    expect(performance.now() - startedMs).toBeLessThan(ML_TIMEOUT_MS + 500);
    expectFallback(fallback.body);
  });

  test('is not there at all, the response is still 200, in the fallback form', async () => {
    const replica = await api.startReplica({ ML_BASE_URL: 'http://127.0.0.1:1' });

    expectFallback(await getSuggestions(replica.url));
  });

  test('fails, no event is published and nothing is remembered', async () => {
    api.ml.behave(
      respondWithSuggestions([{ action: 'delete', classification: 'bulk', confidence_score: 1 }]),
    );
    await ada.get('/api/v1/suggestions').expect(200);
    const before = await readSuggestions();
    api.ml.behave((response) => send(response, 500, '{}'));
    await ada.get('/api/v1/suggestions').expect(200);

    expect(await api.listEvents()).toHaveLength(1);
    expect(await readSuggestions()).toEqual(before);
  });

  test('is only just coming back, it is asked again: 503 and then a good response count as good', async () => {
    let calls = 0;
    api.ml.behave((response, items) => {
      calls += 1;
      const body = items.map(({ id }) => ({ id, suggestions: [] }));
      send(response, calls === 1 ? 503 : 200, JSON.stringify(body));
    });

    expect((await ada.get('/api/v1/suggestions').expect(200)).body.classified).toBe(true);
    expect(calls).toBe(2);
  });

  test('responds with partly invalid items, the rest still counts', async () => {
    api.ml.behave((response) => {
      const suggestions = [
        { action: 'archive', classification: 'bulk', confidence_score: 7 },
        { action: ' ', classification: 'bulk', confidence_score: 1 },
        { action: 'archive', classification: 'bulk', confidence_score: 'NaN' },
      ];
      send(
        response,
        200,
        JSON.stringify([
          { id: 'one', suggestions },
          { id: 'foreign', suggestions },
        ]),
      );
    });
    const reply = await ada.get('/api/v1/suggestions').expect(200);

    expect(reply.body.emails.map((email: { suggestions: unknown }) => email.suggestions)).toEqual([
      [{ action: 'archive', classification: 'bulk', confidence_score: 1 }],
      [],
    ]);
  });
});

describe('R20: a classification service that failed five times in a row', () => {
  test('is not asked for a while, and the response comes in the fallback form all the same', async () => {
    const replica = await api.startReplica({}, { breakerPauseMs: 3_600_000 });
    api.ml.behave((response) => send(response, 500, '{}'));
    for (let call = 0; call < 5; call += 1) expectFallback(await getSuggestions(replica.url));
    const asked = api.ml.calls.length;

    for (let call = 0; call < 3; call += 1) expectFallback(await getSuggestions(replica.url));
    expect(api.ml.calls).toHaveLength(asked);
    const openings = api.logLines.filter((line) => line.includes('"breaker":"open"'));
    expect(openings.at(-1)).toContain('"level":40');
  });

  test('is complained of with each call that it failed, and no more while it is left alone', async () => {
    const replica = await api.startReplica({}, { breakerPauseMs: 3_600_000 });
    api.ml.behave((response) => send(response, 500, '{}'));
    const before = api.logLines.length;
    for (let call = 0; call < 8; call += 1) expectFallback(await getSuggestions(replica.url));

    const lines = api.logLines.slice(before).map((line) => JSON.parse(line));
    const complaints = lines.filter(({ msg }) => msg === 'the classification service is unavailable');
    expect(complaints.filter(({ level }) => level >= 40)).toEqual(
      Array.from({ length: 5 }, () =>
        expect.objectContaining({
          requestId: expect.any(String),
          err: expect.objectContaining({ code: 'ml_status' }),
        }),
      ),
    );
  });

  test('is used again by itself once it is well', async () => {
    api.ml.behave((response) => send(response, 500, '{}'));
    for (let call = 0; call < 6; call += 1) expectFallback(await getSuggestions(api.url));
    api.ml.behave(respondWithSuggestions([]));

    await eventually(async () => expect(await getSuggestions(api.url)).toMatchObject({ classified: true }));
  });
});

describe('a failure of the mailbox', () => {
  test('is no failure of the classification service: it is reported as what it is', async () => {
    api.google.fail({ path: /\/messages\?/, times: 1, status: 503, headers: { 'retry-after': '3600' } });

    expect((await ada.get('/api/v1/suggestions').expect(503)).body.code).toBe('mailbox_unavailable');
    expect(api.ml.calls).toEqual([]);
  });
});

/** Exactly the fields of the fallback form. */
const expectFallback = (body: unknown) => {
  expect(body).toEqual({
    emails: ['one', 'two'].map((id) => ({
      id,
      from: 'News <news@shop.example>',
      subject: 'Subject',
      snippet: 'Text',
      date: expect.stringMatching(/Z$/),
      suggestions: [],
    })),
    classified: false,
    nextPageToken: null,
  });
};

/** Asks another replica than the client's own. */
const getSuggestions = async (url: string): Promise<unknown> => {
  const reply = await fetch(`${url}/api/v1/suggestions`, { headers: { cookie: ada.cookie } });
  expect(reply.status).toBe(200);
  return reply.json();
};

const readSuggestions = () => api.testDatabase.query('SELECT * FROM "EmailSuggestion" ORDER BY "emailId"');

let api: ApiHarness;
let ada: ApiClient;
beforeAll(async () => {
  api = await startApi({
    mail: {
      'ada@example.com': [
        { id: 'one', ageDays: 1 },
        { id: 'two', ageDays: 2 },
      ],
    },
    env: {
      ML_TIMEOUT_MS: String(ML_TIMEOUT_MS),
      SUGGESTIONS_PUBLISH_THRESHOLD: '1',
    },
    // So short that every test's request is made.
    limits: { breakerPauseMs: 1 },
  });
  ada = await api.signIn();
});
beforeEach(() => {
  api.google.heal();
  api.ml.calls.length = 0;
});
afterAll(() => api.close());
