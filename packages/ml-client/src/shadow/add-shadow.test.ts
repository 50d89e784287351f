import { createRecordingLogger } from '@mailsweep/service-kit/testing';
import jwt from 'jsonwebtoken';
import { Registry } from 'prom-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type Behaviour,
  drip,
  flood,
  hang,
  hangAfterHeaders,
  inTurn,
  reset,
  resetMidResponse,
  respondWithJson,
  respondWithStatus,
  respondWithSuggestions,
  respondWithText,
  startClassificationStandIn,
} from '../testing/classification-stand-in.ts';
import { context, items, setUpClient, tokenSecret } from '../testing/set-up-client.ts';
import { addShadow } from './add-shadow.ts';

const ARCHIVE = { action: 'archive', classification: 'bulk', confidence_score: 0.9 };
const DELETE = { action: 'delete', classification: 'promotions_old', confidence_score: 0.8 };
const archive = respondWithSuggestions([ARCHIVE]);
const primaryAnswer = new Map(items.map(({ id }) => [id, [ARCHIVE]]));

const BROKEN: [fault: string, behaviour: Behaviour, outcome: string][] = [
  ['hangs', hang, 'timed_out'],
  ['hangs after its headers', hangAfterHeaders, 'timed_out'],
  ['drips', drip, 'timed_out'],
  ['resets', reset, 'failed'],
  ['crashes in the middle of its response', resetMidResponse, 'failed'],
  ['refuses the token', respondWithStatus(401), 'failed'],
  ['is overloaded', respondWithStatus(503), 'failed'],
  ['redirects', respondWithStatus(302, { location: '/' }), 'failed'],
  ['responds with a page', respondWithText('<html>'), 'invalid'],
  ['responds in a wrong shape', respondWithJson(7), 'invalid'],
  ['speaks of other emails', respondWithJson([{ id: 'foreign', suggestions: [DELETE] }]), 'invalid'],
  ['sends without end', flood(20 * 1024 * 1024).behaviour, 'invalid'],
];

describe('a shadow', () => {
  it('gets the emails of the first service once more, with a token of its own', async () => {
    const { client, shadow, primary, expectMetrics } = await setUp(archive);
    await client.suggest(items, context);
    await expectMetrics(/calls_total\{outcome="ok"\} 1/);

    const [ours, theirs] = [primary.calls[0], shadow.calls[0]];
    expect(theirs).toMatchObject({ path: '/v1/suggest', items: ours?.items });
    expect(theirs?.headers['x-request-id']).toBe('request-1');
    const token = theirs?.headers.authorization?.replace('Bearer ', '') ?? '';
    const rules = { algorithms: ['HS256' as const], issuer: 'mailsweep-api', audience: 'ml' };
    expect(jwt.verify(token, tokenSecret, rules).sub).toBe('user-1');
  });

  it('is compared with the first service, email by email', async () => {
    const mixed = respondWithSuggestions(({ id }) => (id === items[0]?.id ? [DELETE] : [ARCHIVE]));
    const { client, expectMetrics } = await setUp(mixed);
    await expect(client.suggest(items, context)).resolves.toEqual(primaryAnswer);

    await expectMetrics(
      /comparisons_total\{result="differed",primary="archive",shadow="delete"\} 1/,
      new RegExp(
        `comparisons_total\\{result="agreed",primary="archive",shadow="archive"\\} ${items.length - 1}`,
      ),
      /duration_seconds_count 1/,
    );
  });

  it('suggests nothing for an email that its response leaves out', async () => {
    const { client, expectMetrics } = await setUp(respondWithJson([{ id: items[0]?.id, suggestions: [] }]));
    await client.suggest(items, context);
    await expectMetrics(
      new RegExp(`comparisons_total\\{result="differed",primary="archive",shadow="none"\\} ${items.length}`),
    );
  });

  it.each(BROKEN)('that %s changes no response, and is counted', async (_fault, behaviour, outcome) => {
    const { client, shadow, expectMetrics, readMetrics } = await setUp(behaviour, { timeoutMs: 300 });
    await expect(client.suggest(items, context)).resolves.toEqual(primaryAnswer);

    await expectMetrics(new RegExp(`calls_total\\{outcome="${outcome}"\\} 1`), /duration_seconds_count 1/);
    expect(await readMetrics()).not.toMatch(/comparisons_total\{.*\} [1-9]/);
    expect(shadow.calls).toHaveLength(1);
  });

  it('is not waited for', async () => {
    const { client, readMetrics } = await setUp(hang, { timeoutMs: 60_000 });
    await expect(client.suggest(items, context)).resolves.toEqual(primaryAnswer);
    expect(await readMetrics()).toContain('calls_total{outcome="timed_out"} 0');
  });

  it('gets four calls at once; further ones are dropped, and none waits for a place', async () => {
    const { client, shadow, readMetrics } = await setUp(hang, { timeoutMs: 60_000 });
    const calls = Array.from({ length: 7 }, () => client.suggest(items, context));
    for (const answer of await Promise.all(calls)) expect(answer).toEqual(primaryAnswer);

    expect(await readMetrics()).toContain('calls_total{outcome="dropped"} 3');
    await expect.poll(() => shadow.calls.length).toBe(4);
  });

  it('that keeps failing is left alone, and logged once until it is back', async () => {
    const failures = Array.from({ length: 7 }, () => respondWithStatus(500));
    const { client, lines, shadow, expectMetrics } = await setUp(inTurn(archive, ...failures, archive), {
      breakerPauseMs: 0,
    });
    for (let call = 1; call <= 9; call += 1) {
      await client.suggest(
        items.map((item) => ({ ...item, from: 'hunter2', subject: 'hunter2' })),
        context,
      );
      await expectMetrics(new RegExp(`duration_seconds_count ${call}$`, 'm'));
    }
    expect(shadow.calls).toHaveLength(9);
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      [40, 'the shadow classification service keeps failing; comparisons are missing'],
      [30, 'the shadow classification service is back'],
    ]);
    expect(lines[0]).toMatchObject({ err: { code: 'ml_status' } });
    expect(JSON.stringify(lines)).not.toContain('hunter2');
  });

  it('has nothing to be compared with while the first service fails, whose error is passed on', async () => {
    const { client, primary, expectMetrics, readMetrics } = await setUp(archive);
    primary.behave(respondWithStatus(500));
    await expect(client.suggest(items, context)).rejects.toMatchObject({ code: 'ml_status' });
    await expectMetrics(/calls_total\{outcome="ok"\} 1/);
    expect(await readMetrics()).not.toMatch(/comparisons_total\{.*\} [1-9]/);
  });

  it('is asked about no emails as little as the first service', async () => {
    const { client, shadow, readMetrics } = await setUp(archive);
    await expect(client.suggest([], context)).resolves.toEqual(new Map());
    expect(shadow.calls).toEqual([]);
    expect(await readMetrics()).toContain('calls_total{outcome="ok"} 0');
  });
});

it('without an address, the first service is asked alone, and the metrics stay at zero', async () => {
  const { client } = await setUpClient([archive]);
  const registry = new Registry();
  expect(
    addShadow(client, { url: undefined, tokenSecret, registry, logger: createRecordingLogger().logger }),
  ).toBe(client);
  expect(await registry.metrics()).toContain('mailsweep_ml_shadow_calls_total{outcome="ok"} 0');
});

/** A client of a service that archives everything, and its shadow. */
const setUp = async (behaviour: Behaviour, options: Partial<Parameters<typeof addShadow>[1]> = {}) => {
  const { client: first, service: primary } = await setUpClient([archive]);
  const shadow = await startClassificationStandIn(behaviour);
  onTestFinished(shadow.close);
  const registry = new Registry();
  const { logger, lines } = createRecordingLogger();
  const client = addShadow(first, { url: shadow.url, tokenSecret, registry, logger, ...options });
  const readMetrics = () => registry.metrics();
  return {
    client,
    primary,
    shadow,
    lines,
    readMetrics,
    expectMetrics: async (...patterns: RegExp[]) => {
      for (const pattern of patterns) await expect.poll(readMetrics, { timeout: 5_000 }).toMatch(pattern);
    },
  };
};
