import responseFixture from '@mailsweep/contracts/fixtures/ml-response.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import type { MlClient, MlClientOptions, MlOutcome } from './index.ts';
import {
  type Behaviour,
  hang,
  hangAfterHeaders,
  reset,
  respondWithJson,
  respondWithStatus,
  respondWithText,
} from './testing/classification-stand-in.ts';
import { context, items, setUpClient } from './testing/set-up-client.ts';

const ok = respondWithJson(responseFixture);
const refuse = respondWithStatus(500);

describe('the circuit breaker', () => {
  it.each<[string, Behaviour]>([
    ['refuses', refuse],
    ['wants other credentials', respondWithStatus(401)],
    ['redirects', respondWithStatus(302, { location: '/' })],
    ['times out', hang],
    ['hangs after its headers', hangAfterHeaders],
    ['responds with garbage', respondWithText('<html>')],
    ['responds in a wrong shape', respondWithJson(7)],
    ['resets', reset],
  ])('asks a service no more that %s five times in a row', async (_fault, behaviour) => {
    const { client, service, failures } = await setUpBreaker([behaviour], { timeoutMs: 60 });
    await failures(5);
    const asked = service.calls.length;
    await expect(client.suggest(items, context)).rejects.toMatchObject({ code: 'ml_circuit_open' });
    expect(service.calls).toHaveLength(asked);
  });

  it('stays closed as long as a success comes between the failures', async () => {
    const fourFailures = [refuse, refuse, refuse, refuse] as const;
    const { client, failures, changes } = await setUpBreaker([...fourFailures, ok, ...fourFailures, ok]);
    await failures(4);
    await client.suggest(items, context);
    await failures(4);
    await client.suggest(items, context);
    expect(changes).toEqual([]);
  });

  it('counts failed calls, not failed attempts', async () => {
    const { failures, service, changes } = await setUpBreaker([respondWithStatus(503)]);
    await failures(4);
    expect(service.calls).toHaveLength(12);
    expect(changes).toEqual([]);
    await failures(1);
    expect(changes).toEqual(['open']);
  });

  it('leaves the service alone for the whole pause, then closes with one success', async () => {
    const { client, service, failures, clock, changes } = await setUpBreaker([...FIVE_FAILURES, ok]);
    await failures(5);
    clock.advance(PAUSE_MS - 1);
    await expect(client.suggest(items, context)).rejects.toMatchObject({ code: 'ml_circuit_open' });
    expect(service.calls).toHaveLength(5);
    clock.advance(1);
    await expect(client.suggest(items, context)).resolves.toBeInstanceOf(Map);
    await expect(client.suggest(items, context)).resolves.toBeInstanceOf(Map);
    expect(changes).toEqual(['open', 'half_open', 'closed']);
  });

  it('opens for another pause when the trial fails', async () => {
    const { client, service, failures, clock, changes } = await setUpBreaker([refuse]);
    await failures(5);
    clock.advance(PAUSE_MS);
    await failures(1);
    expect(changes).toEqual(['open', 'half_open', 'open']);
    clock.advance(PAUSE_MS - 1);
    await expect(client.suggest(items, context)).rejects.toMatchObject({ code: 'ml_circuit_open' });
    expect(service.calls).toHaveLength(6);
  });

  it('needs five failures again after it closed', async () => {
    const { client, failures, clock, changes } = await setUpBreaker([...FIVE_FAILURES, ok, refuse]);
    await failures(5);
    clock.advance(PAUSE_MS);
    await client.suggest(items, context);
    await failures(4);
    expect(changes.at(-1)).toBe('closed');
    await failures(1);
    expect(changes.at(-1)).toBe('open');
  });

  it('lets a single call try the service, and refuses the others meanwhile', async () => {
    const trial = Promise.withResolvers<void>();
    const slowly: Behaviour = (...call) => void trial.promise.then(() => ok(...call));
    const { client, service, failures, clock, changes } = await setUpBreaker([...FIVE_FAILURES, slowly]);
    await failures(5);
    clock.advance(PAUSE_MS);
    const tried = client.suggest(items, context);
    const others = await Promise.allSettled([1, 2, 3].map(() => client.suggest(items, context)));
    expect(others.map((other) => other.status === 'rejected' && other.reason.code)).toEqual([
      'ml_circuit_open',
      'ml_circuit_open',
      'ml_circuit_open',
    ]);
    trial.resolve();
    await expect(tried).resolves.toBeInstanceOf(Map);
    expect(service.calls).toHaveLength(6);
    expect(changes.at(-1)).toBe('closed');
  });

  it('opens once, however many calls fail at the same time', async () => {
    const { client, changes } = await setUpBreaker([refuse]);
    await Promise.allSettled(Array.from({ length: 12 }, () => client.suggest(items, context)));
    expect(changes).toEqual(['open']);
  });

  it('does not let a call from before close it, or count against the time after', async () => {
    const early = Promise.withResolvers<void>();
    const late: Behaviour = (...call) => void early.promise.then(() => ok(...call));
    const { client, failures, changes } = await setUpBreaker([late, refuse]);
    const straggler = client.suggest(items, context);
    await failures(5);
    early.resolve();
    await expect(straggler).resolves.toBeInstanceOf(Map);
    expect(changes).toEqual(['open']);
  });

  it('tells how each call ended', async () => {
    const { client, failures, outcomes } = await setUpBreaker([ok, respondWithStatus(503), ok, refuse]);
    await client.suggest(items, context);
    await client.suggest(items, context);
    await failures(6);
    expect(outcomes).toEqual(['ok', 'ok', ...Array(5).fill('ml_status'), 'ml_circuit_open']);
  });
});

const PAUSE_MS = 4_000;
const FIVE_FAILURES = [refuse, refuse, refuse, refuse, refuse] as const;

const setUpBreaker = async (
  behaviours: [Behaviour, ...Behaviour[]],
  options: Partial<MlClientOptions> = {},
) => {
  let nowMs = 0;
  const changes: string[] = [];
  const outcomes: MlOutcome[] = [];
  const { client, service } = await setUpClient(behaviours, {
    breakerPauseMs: PAUSE_MS,
    monotonicNowMs: () => nowMs,
    onBreakerChange: (state) => void changes.push(state),
    onOutcome: (outcome) => void outcomes.push(outcome),
    ...options,
  });
  const clock = {
    advance(ms: number) {
      nowMs += ms;
    },
  };
  return { client, service, clock, changes, outcomes, failures: (count: number) => fail(client, count) };
};

/** Makes so many calls, one after the other, all of which fail. */
const fail = async (client: MlClient, count: number) => {
  for (let call = 0; call < count; call += 1) {
    await expect(client.suggest(items, context)).rejects.toThrow();
  }
};
