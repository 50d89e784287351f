import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { inspect } from 'node:util';
import type { MlRequestItem } from '@mailsweep/contracts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createMlClient } from './create-ml-client.ts';
import { MlUnavailableError } from './ml-client.ts';
import {
  type Behaviour,
  drip,
  hang,
  hangAfterHeaders,
  reset,
  respondWithStatus,
} from './testing/classification-stand-in.ts';
import {
  context,
  items,
  setUpClient,
  tokenSecret,
  useLongestBackoff,
  useShortestBackoff,
} from './testing/set-up-client.ts';

describe('the time budget', () => {
  it.each<[string, Behaviour]>([
    ['hangs before its headers', hang],
    ['hangs after its headers', hangAfterHeaders],
    ['drips its response', drip],
  ])('ends a call to a service that %s, without another attempt', async (_fault, behaviour) => {
    const { client, service } = await setUpClient([behaviour], { timeoutMs: 900 });
    const { error, elapsedMs } = await timeFailure(() => client.suggest(items, context));
    expect(error).toMatchObject({ code: 'ml_timeout' });
    expect(elapsedMs).toBeGreaterThanOrEqual(890);
    expect(elapsedMs).toBeLessThan(900 + SLACK_MS);
    expect(service.calls).toHaveLength(1);
  });

  it('covers all attempts and the waits between them', async () => {
    // The second attempt begins after 200 ms, a third would after 600.
    const { client, service } = await setUpClient([respondWithStatus(503)], { timeoutMs: 595 });
    useLongestBackoff();
    const { error, elapsedMs } = await timeFailure(() => client.suggest(items, context));
    expect(error).toMatchObject({ code: 'ml_status', status: 503 });
    expect(elapsedMs).toBeLessThan(595 + SLACK_MS);
    expect(service.calls).toHaveLength(2);
  });

  it('leaves a later attempt only what the earlier ones left over', async () => {
    const { client, service } = await setUpClient([respondWithStatus(503), hang], { timeoutMs: 1_000 });
    const { error, elapsedMs } = await timeFailure(() => client.suggest(items, context));
    expect(error).toMatchObject({ code: 'ml_timeout' });
    expect(elapsedMs).toBeLessThan(1_000 + SLACK_MS);
    expect(service.calls).toHaveLength(2);
  });

  it('is not used up by one connection that cannot be made: a handshake that hangs is tried again', async () => {
    useShortestBackoff();
    let connections = 0;
    const silent = createServer(() => {
      connections += 1;
    });
    onTestFinished(() => void silent.close());
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const client = createMlClient({
      baseUrl: `https://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      // Three attempts of a quarter each, and 300 ms of waits.
      timeoutMs: 4_000,
      tokenSecret,
    });
    const { error, elapsedMs } = await timeFailure(() => client.suggest(items, context));
    expect(error).toMatchObject({ code: 'ml_network' });
    expect(elapsedMs).toBeLessThan(4_000);
    expect(connections).toBe(3);
  });
});

describe('a failure', () => {
  it.each<[string, Behaviour]>([
    ['a refusal', respondWithStatus(500)],
    ['a time-out', hang],
    ['a reset', reset],
    ['a response that quotes the request', (response) => response.end('Café offer for you: <oops>')],
  ])('shows neither email nor token when it is printed: %s', async (_fault, behaviour) => {
    const { client, service } = await setUpClient([behaviour], { timeoutMs: 150 });
    const item: MlRequestItem = {
      ...(items[0] as MlRequestItem),
      subject: 'Café offer for you',
      from: 'canary@x.example',
    };
    const { error } = await timeFailure(() => client.suggest([item], context));
    expect(error).toBeInstanceOf(MlUnavailableError);
    const token = service.calls[0]?.headers.authorization?.replace('Bearer ', '') ?? 'no token';
    const messages = causesOf(error).map(
      (cause) => `${cause.message} ${cause.stack} ${JSON.stringify(cause)}`,
    );
    for (const secret of ['Café offer', 'canary@x.example', token]) {
      expect(messages.join('\n')).not.toContain(secret);
      expect(inspect(error, { depth: 2 })).not.toContain(secret);
    }
  });
});

/** How late a budget may be noticed on a busy machine. */
const SLACK_MS = 600;

const timeFailure = async (call: () => Promise<unknown>) => {
  const startedAt = performance.now();
  const error = await call().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { error, elapsedMs: performance.now() - startedAt };
};

const causesOf = (error: unknown): Error[] =>
  error instanceof Error ? [error, ...causesOf(error.cause)] : [];
