import { refusal, startTestGmail } from '@mailsweep/google-sandbox/testing/gmail';
import { createFakeAccessTokens } from '@mailsweep/mail/mailbox/testing';
import {
  type CallPriority,
  createMemoryQuotaStore,
  createQuotaGovernor,
  type QuotaEvent,
} from '@mailsweep/mail/quota';
import { createProviderMinute, createSimulatedClock } from '@mailsweep/mail/quota/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGmailMailbox } from './gmail-mailbox.ts';
import { inboxMessages, readEach } from './testing/test-mailbox.ts';

const MINUTE_MS = 60_000;
const OWN_LABELS = [0, 1, 2].map((number) => ({ id: `Label_${number}`, name: `Own ${number}` }));

/** A Google sandbox whose responses take no simulated time, and mailboxes that share one governor. */
const setUp = async (
  options: { unitsPerMinute?: number; interactiveReserve?: number; concurrentCalls?: number } = {},
) => {
  const gmail = await startTestGmail({ messages: inboxMessages(200), labels: OWN_LABELS });
  onTestFinished(gmail.close);
  const clock = createSimulatedClock();
  const events: QuotaEvent[] = [];
  const { unitsPerMinute = 6_000, interactiveReserve = 0.05, concurrentCalls } = options;
  const store = createMemoryQuotaStore({ unitsPerMinute, interactiveReserve, nowMs: clock.nowMs });
  const governor = createQuotaGovernor({
    store,
    clock,
    concurrentCalls,
    observe: (event) => events.push(event),
  });
  const provider = createProviderMinute();
  const accessTokens = createFakeAccessTokens();
  const open = (
    priority: CallPriority = 'interactive',
    more: { userId?: string; signal?: AbortSignal } = {},
  ) =>
    createGmailMailbox({
      baseUrl: gmail.url,
      accessTokens,
      governor,
      userId: 'ada',
      priority,
      clock,
      random: () => 0,
      batchReads: false,
      ...more,
    });
  return { gmail, clock, events, store, provider, open };
};

const ids = (count: number): string[] => inboxMessages(count).map(({ id }) => id);
const errorsOf = (outcomes: object[]) =>
  outcomes.flatMap((outcome) => ('error' in outcome ? [outcome.error] : []));

describe('an interactive call', () => {
  it('waits a short while for its units, and goes on when they are there', async () => {
    const { clock, open, events } = await setUp({ unitsPerMinute: 100 });
    await clock.run(readEach(open(), ids(3)));
    const begunMs = clock.nowMs();
    await clock.run(clock.sleep(50_000));
    const readings = await clock.run(readEach(open(), ids(4)));
    expect(errorsOf(readings)).toEqual([]);
    expect(clock.nowMs() - begunMs).toBeLessThanOrEqual(62_000);
    expect(events).toContainEqual({ type: 'waited', priority: 'interactive', waitMs: expect.any(Number) });
  });

  it('fails at once when they would come too late, and says truly when they are there', async () => {
    const { clock, open, gmail } = await setUp({ unitsPerMinute: 100 });
    await clock.run(readEach(open(), ids(5)));
    const begunMs = clock.nowMs();
    const asked = gmail.requests.length;
    const [error] = errorsOf(await clock.run(readEach(open(), ids(2))));
    expect(error).toMatchObject({ code: 'rate_limited', retryAfterMs: expect.any(Number) });
    expect(clock.nowMs()).toBe(begunMs);
    expect(gmail.requests).toHaveLength(asked);
    await clock.run(clock.sleep((error as { retryAfterMs: number }).retryAfterMs));
    expect(errorsOf(await clock.run(readEach(open(), ids(2))))).toEqual([]);
  });

  it('keeps what was done before the units ran out', async () => {
    const { clock, open } = await setUp({ unitsPerMinute: 100 });
    // No more than ten alike: each is changed by itself.
    const changes = ids(30).map((id, index) => ({
      id,
      added: [`Label_${index % 3}`],
      removed: ['INBOX'],
      before: ['INBOX'],
    }));
    const outcomes = await clock.run(open().changeLabels(changes, '1'));
    expect(outcomes.filter(({ status }) => status === 'ok')).toHaveLength(20);
    expect(errorsOf(outcomes)[0]).toMatchObject({ code: 'rate_limited' });
  });
});

describe('a background call', () => {
  it('waits for its units as long as it takes, one after the other', async () => {
    const { clock, open, provider, gmail } = await setUp({ unitsPerMinute: 600 });
    gmail.intercept(() => void provider.count(clock.nowMs(), 20));
    const begunMs = clock.nowMs();
    const readings = await clock.run(readEach(open('background'), ids(150)));
    expect(errorsOf(readings)).toEqual([]);
    expect(clock.nowMs() - begunMs).toBeGreaterThan(4 * MINUTE_MS);
    expect(provider.peak()).toBeLessThanOrEqual(600);
  });

  it('ends with the reason of its signal, wherever it waits', async () => {
    const { clock, open, gmail } = await setUp({ unitsPerMinute: 100 });
    const controller = new AbortController();
    const reason = new Error('the scan was cancelled');
    gmail.intercept(() => {
      // The four that the units allow are answered; the others wait.
      if (gmail.requests.length === 4) setImmediate(() => controller.abort(reason));
      return undefined;
    });
    const walk = clock.run(readEach(open('background', { signal: controller.signal }), ids(50)));
    await expect(walk).rejects.toBe(reason);
    const asked = gmail.requests.length;
    await clock.run(clock.sleep(2 * MINUTE_MS));
    expect(gmail.requests).toHaveLength(asked);
  });

  it('gives up after minutes in which the provider takes nothing', async () => {
    const { clock, open, store } = await setUp();
    await store.pause('ada', 60 * MINUTE_MS);
    const begunMs = clock.nowMs();
    const [error] = errorsOf(await clock.run(readEach(open('background'), ['m0'])));
    expect(error).toMatchObject({ code: 'rate_limited' });
    expect(clock.nowMs() - begunMs).toBeLessThanOrEqual(5 * MINUTE_MS);
  });
});

describe('a quota error of the provider', () => {
  it.each([
    ['429', { status: 429, headers: { 'retry-after': '9' } }],
    ['403', { ...(refusal(403, 'userRateLimitExceeded') as object), headers: { 'retry-after': '9' } }],
  ])('holds up all calls for that user’s mailbox, and nobody else’s: %s', async (_, response) => {
    const { clock, open, gmail, events } = await setUp();
    const askedAtMs: number[] = [];
    gmail.intercept(({ path }) => {
      if (path.endsWith('/m3')) return undefined;
      askedAtMs.push(clock.nowMs());
      return askedAtMs.length === 1 ? response : undefined;
    });
    const begunMs = clock.nowMs();
    const first = readEach(open(), ['m0']);
    await expect.poll(() => events.map(({ type }) => type)).toContain('paused');
    const others = Promise.all([readEach(open('background'), ['m1']), readEach(open(), ['m2'])]);
    const elsewhere = readEach(open('interactive', { userId: 'grace' }), ['m3']);
    expect(errorsOf(await elsewhere)).toEqual([]);
    expect(clock.nowMs()).toBe(begunMs);
    expect(errorsOf((await clock.run(Promise.all([first, others]))).flat(2))).toEqual([]);
    expect(askedAtMs.map((atMs) => atMs - begunMs >= 9_000)).toEqual([false, true, true, true]);
  });

  it('that asks for more time than a user has fails their further calls unsent, with what is left of it', async () => {
    const { clock, open, gmail, events } = await setUp();
    gmail.intercept(() => ({ status: 429, headers: { 'retry-after': '60' } }));
    await clock.run(readEach(open(), ['m0']));
    await clock.run(clock.sleep(15_000));
    const [error] = errorsOf(await clock.run(readEach(open(), ['m1'])));
    expect(error).toMatchObject({ code: 'rate_limited', retryAfterMs: 45_000 });
    expect(gmail.requests).toHaveLength(1);
    expect(events).toContainEqual({ type: 'paused', pauseMs: 60_000 });
  });

  it('is waited out by a background call, however long', async () => {
    const { clock, open, gmail } = await setUp();
    let refusals = 1;
    gmail.intercept(() => (refusals-- > 0 ? { status: 429, headers: { 'retry-after': '60' } } : undefined));
    expect(errorsOf(await clock.run(readEach(open('background'), ids(3))))).toEqual([]);
  });
});

describe('calls in flight', () => {
  const holdResponses = async (options: { concurrentCalls?: number }) => {
    const set = await setUp({ unitsPerMinute: 1_000_000, ...options });
    const gate = Promise.withResolvers<undefined>();
    set.gmail.intercept(() => gate.promise);
    return { ...set, release: () => gate.resolve(undefined) };
  };

  it('are at most 25 for one user, over all mailboxes of the process, a fifth of them for the background', async () => {
    const { gmail, open, clock, release } = await holdResponses({});
    const reading = [open(), open()].map((mailbox) => readEach(mailbox, ids(40)));
    await expect.poll(() => gmail.inFlight()).toBe(20);
    const walking = readEach(open('background'), ids(40));
    await expect.poll(() => gmail.inFlight()).toBe(25);
    expect(Math.max(gmail.inFlight(), 25)).toBe(25);
    release();
    expect(errorsOf((await clock.run(Promise.all([...reading, walking]))).flat())).toEqual([]);
  });

  it('are halved by a quota error, once for all that were in flight, and grow again step by step', async () => {
    const { gmail, open, clock, events } = await setUp({ unitsPerMinute: 1_000_000 });
    let refusals = 20;
    gmail.intercept(() => (refusals-- > 0 ? { status: 429 } : undefined));
    const limits = () =>
      events.flatMap((event) => (event.type === 'concurrency_changed' ? [event.limit] : []));
    expect(errorsOf(await clock.run(readEach(open(), ids(20))))).toEqual([]);
    expect(limits()[0]).toBe(12);
    expect(Math.min(...limits())).toBe(12);
    while (!limits().includes(25)) await clock.run(readEach(open(), ids(100)));
    expect(limits()).toEqual([...Array.from({ length: 14 }, (_, index) => 12 + index)]);
  });

  it('never become fewer than one of each kind', async () => {
    const { gmail, open, clock, events } = await setUp({ unitsPerMinute: 1_000_000 });
    gmail.intercept(() => ({ status: 429 }));
    await clock.run(readEach(open(), ['m0']));
    expect(events.findLast(({ type }) => type === 'concurrency_changed')).toMatchObject({ limit: 2 });
    gmail.intercept(() => undefined);
    await clock.run(clock.sleep(MINUTE_MS));
    const readings = await clock.run(
      Promise.all([readEach(open(), ids(2)), readEach(open('background'), ids(2))]),
    );
    expect(errorsOf(readings.flat())).toEqual([]);
  });
});
