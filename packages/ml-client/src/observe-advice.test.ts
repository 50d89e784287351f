import { createRecordingLogger } from '@mailsweep/service-kit/testing';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { observeAdvice } from './observe-advice.ts';
import { respondWithSuggestions } from './testing/classification-stand-in.ts';
import { context, items, setUpClient } from './testing/set-up-client.ts';

const suggestion = (action: string) => ({ action, classification: 'bulk', confidence_score: 0.9 });
const setUp = async (...actions: string[]) => {
  const { client } = await setUpClient([respondWithSuggestions(actions.map(suggestion))]);
  const registry = new Registry();
  const { logger, lines } = createRecordingLogger();
  const suggest = (count: number) =>
    observed.suggest(items.slice(0, count), { ...context, requestId: `request-${count}` });
  const observed = observeAdvice(client, { registry, logger });
  return { suggest, lines, readMetrics: () => registry.metrics() };
};

it('advice is kept, counted, and named once in the log', async () => {
  const { suggest, lines, readMetrics } = await setUp('review_later', 'archive', 'constructor');
  expect(await readMetrics()).toMatch(/^mailsweep_ml_advice_total 0$/m);

  const suggested = await suggest(2);
  expect([...suggested.values()]).toEqual(
    [1, 2].map(() => ['review_later', 'archive', 'constructor'].map(suggestion)),
  );
  await suggest(1);

  expect(await readMetrics()).toMatch(/^mailsweep_ml_advice_total 6$/m);
  expect(lines.map(({ level, action }) => [level, action])).toEqual([
    [40, 'review_later'],
    [40, 'constructor'],
  ]);
});

it('the four actions are not advice', async () => {
  const { suggest, lines, readMetrics } = await setUp('archive', 'delete', 'label', 'notify');
  await suggest(2);
  expect(await readMetrics()).toMatch(/^mailsweep_ml_advice_total 0$/m);
  expect(lines).toEqual([]);
});

it('of a service that makes up names, the first twenty are logged', async () => {
  let made = 0;
  const { client } = await setUpClient([
    respondWithSuggestions(() => Array.from({ length: 10 }, () => suggestion(`action_${++made}`))),
  ]);
  const { logger, lines } = createRecordingLogger();
  const registry = new Registry();
  await observeAdvice(client, { registry, logger }).suggest(items, context);
  expect(lines).toHaveLength(20);
  expect(await registry.metrics()).toMatch(
    new RegExp(`^mailsweep_ml_advice_total ${items.length * 10}$`, 'm'),
  );
});
