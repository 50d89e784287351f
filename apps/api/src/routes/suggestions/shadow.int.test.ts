import { eventually } from '@mailsweep/event-bus/testing';
import {
  type Behaviour,
  drip,
  hang,
  hangAfterHeaders,
  respondWithSuggestions,
  startClassificationStandIn,
} from '@mailsweep/ml-client/testing';
import supertest from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, createClient, startApi } from '../../testing/api-harness.ts';

/** Far more than the primary takes here, and less than the shadow's budget of five seconds. */
const LONG_MS = 3_000;
const suggest = (action: string): Behaviour =>
  respondWithSuggestions([{ action, classification: `${action}_class`, confidence_score: 0.9 }]);

const SHADOWS: [shadow: string, behaviour: Behaviour][] = [
  ['hangs', hang],
  ['stops after its headers', hangAfterHeaders],
  ['is slow without end', drip],
  ['suggests something else', suggest('delete')],
  [
    'answers for other emails',
    (response) => response.end('[{"id":"foreign","suggestions":[{"action":"delete"}]}]'),
  ],
  ['answers in a wrong shape', (response) => response.end('{"result":"delete everything"}')],
  ['crashes in the middle', (response) => response.write('[{"id":', () => response.destroy())],
  ['refuses our token', (response) => response.writeHead(401).end()],
];

describe('a shadow classification service', () => {
  test.each(SHADOWS)('that %s changes no response, and nothing that is stored', async (_name, behaviour) => {
    const alone = await ask(ada);
    const storedAlone = await readSuggestions();
    shadow.behave(behaviour);

    const startedMs = performance.now();
    const beside = await ask(shadowed);
    expect(performance.now() - startedMs).toBeLessThan(LONG_MS);
    expect(beside).toEqual(alone);
    expect(beside.emails[0].suggestions).toMatchObject([{ action: 'archive' }]);
    await expect.poll(() => shadow.calls.length).toBe(1);
    expect(shadow.calls[0]?.items).toEqual(api.ml.calls.at(-1)?.items);
    expect(await readSuggestions()).toEqual(storedAlone);
  });

  test('is compared with the first one', async () => {
    const before = await readCount(
      /comparisons_total\{result="differed",primary="archive",shadow="label",.*/,
    );
    shadow.behave(suggest('label'));
    await ask(shadowed);
    await eventually(async () =>
      expect(
        await readCount(/comparisons_total\{result="differed",primary="archive",shadow="label",.*/),
      ).toBe(before + 2),
    );
  });

  test('that hangs does not hold up the end of the process', async () => {
    const leaving = await startShadowed();
    shadow.behave(hang);
    await ask(createClient(leaving.url, ada.token));
    await expect.poll(() => shadow.calls.length).toBe(1);

    const startedMs = performance.now();
    await leaving.stop();
    expect(performance.now() - startedMs).toBeLessThan(LONG_MS);
  });
});

const ask = async (client: Pick<ApiClient, 'get'>) =>
  (await client.get('/api/v1/suggestions').expect(200)).body;

/** What is stored of suggestions, but for when. */
const readSuggestions = () =>
  api.testDatabase.query(`SELECT "emailId", "suggestions"::text FROM "EmailSuggestion" ORDER BY "emailId"`);

const readCount = async (series: RegExp): Promise<number> => {
  const { text } = await supertest(operationsUrl).get('/metrics').expect(200);
  return Number(new RegExp(`${series.source}\\} (\\d+)`).exec(text)?.[1]);
};

// With a pause of the circuit breaker so short that every request is made.
const startShadowed = () => api.startReplica({ ML_SHADOW_URL: shadow.url }, { breakerPauseMs: 1 });

let api: ApiHarness;
let shadow: Awaited<ReturnType<typeof startClassificationStandIn>>;
let ada: ApiClient;
let shadowed: Pick<ApiClient, 'get'>;
let operationsUrl: string;
beforeAll(async () => {
  api = await startApi({
    mail: {
      'ada@example.com': [
        { id: 'one', ageDays: 1 },
        { id: 'two', ageDays: 2 },
      ],
    },
  });
  api.ml.behave(suggest('archive'));
  shadow = await startClassificationStandIn();
  ada = await api.signIn();
  const replica = await startShadowed();
  shadowed = createClient(replica.url, ada.token);
  operationsUrl = replica.operationsUrl;
});
beforeEach(() => shadow.behave(suggest('archive')));
afterAll(async () => {
  await api.close();
  await shadow.close();
});
