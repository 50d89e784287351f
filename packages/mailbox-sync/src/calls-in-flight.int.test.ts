import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type {} from '@mailsweep/database/testing';
import { startFakeGmail } from '@mailsweep/gmail/testing';
import { type CallPriority, DEFAULT_QUOTA_PRICES, openQuotaGovernor } from '@mailsweep/mailbox-quota';
import { createLogger } from '@mailsweep/service-kit';
import { Redis } from 'ioredis';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { createGmailMailbox } from './gmail-mailbox.ts';
import type { Mailbox } from './mailbox.ts';

const MOST_IN_FLIGHT = 25;
/** Turns of the event loop without a new call. */
const STEADY_TURNS = 30;
const redisUrl = inject('redisUrl');
const note = redisUrl === null ? ' (skipped: this machine has no redis-server)' : '';

describe.skipIf(redisUrl === null)(`the calls of an API and a worker in flight for one person${note}`, () => {
  it('are all the interactive ones’ while no other is made, and a fifth of them the background’s otherwise', async () => {
    const { api, worker, gmail, hold, isPartWanted } = await setUp();
    const releasePage = hold();
    const page = api.listEmails({ scope: 'inbox', pageSize: 60 });
    await expect.poll(gmail.inFlight).toBe(MOST_IN_FLIGHT);

    const walk = readEach(worker, 40);
    await expect.poll(isPartWanted).toBe(true);
    expect(gmail.inFlight()).toBe(MOST_IN_FLIGHT);
    releasePage();
    expect((await page).emails).toHaveLength(60);
    await walk;

    const releaseWalk = hold();
    const nextWalk = readEach(worker, 40);
    await expect.poll(gmail.inFlight).toBe(5);
    const nextPage = api.listEmails({ scope: 'inbox', pageSize: 60 });
    await expect.poll(gmail.inFlight).toBe(MOST_IN_FLIGHT);
    releaseWalk();
    await Promise.all([nextWalk, nextPage]);
    expect(gmail.peak()).toBe(MOST_IN_FLIGHT);
  });

  it('are never more than 25, whatever begins while something else is under way', async () => {
    const { api, worker, gmail } = await setUp();
    const readPages = async () => {
      for (let round = 0; round < 3; round += 1) await api.listEmails({ scope: 'inbox', pageSize: 60 });
    };
    const walk = async () => {
      for (let round = 0; round < 2; round += 1) await readEach(worker, 60);
    };
    await Promise.all([readPages(), readPages(), walk()]);
    await Promise.all([walk(), readPages()]);
    expect(gmail.peak()).toBeGreaterThan(20);
    expect(gmail.peak()).toBeLessThanOrEqual(MOST_IN_FLIGHT);
  });
});

const readEach = async (mailbox: Mailbox, count: number): Promise<void> => {
  const changes = Array.from({ length: count }, (_, index) => ({
    id: `m${index}`,
    added: [],
    removed: ['UNREAD'],
  }));
  const readings = await mailbox.findChanges(changes, undefined);
  expect(readings.filter((reading) => 'error' in reading)).toEqual([]);
};

/** Until no call has come or gone for a while, so that as many are in flight as may be. */
const untilSteady = async (inFlight: () => number): Promise<void> => {
  let seen = inFlight();
  for (let turns = 0; turns < STEADY_TURNS; turns += 1) {
    await nextTurn();
    if (inFlight() !== seen) turns = 0;
    seen = inFlight();
  }
};

/** Two processes of the product with a Redis between them, and a Gmail that counts the calls of messages at a time. */
const setUp = async () => {
  const gmail = await startFakeGmail({
    messages: Array.from({ length: 60 }, (_, index) => ({ id: `m${index}`, labelIds: ['INBOX'] })),
  });
  onTestFinished(gmail.close);
  let peak = 0;
  let gate = Promise.resolve();
  gmail.intercept(async ({ path }) => {
    peak = Math.max(peak, gmail.inFlight());
    if (/messages\/m\d+$/.test(path)) await Promise.all([gate, untilSteady(gmail.inFlight)]);
    return undefined;
  });

  const userId = randomUUID();
  const openRedis = () => {
    const redis = new Redis(redisUrl ?? '', { maxRetriesPerRequest: 0 });
    onTestFinished(() => redis.disconnect());
    return redis;
  };
  const open = (priority: CallPriority) =>
    createGmailMailbox({
      baseUrl: gmail.url,
      accessTokens: { current: async () => 'token', renew: async () => 'token' },
      userId,
      priority,
      batchReads: false,
      governor: openQuotaGovernor({
        config: {
          GMAIL_QUOTA_UNITS_PER_MINUTE: 1_000_000,
          GMAIL_QUOTA_PRICES: DEFAULT_QUOTA_PRICES,
          GMAIL_QUOTA_INTERACTIVE_RESERVE: 0.05,
          GMAIL_CONCURRENT_CALLS: MOST_IN_FLIGHT,
        },
        redis: openRedis(),
        logger: createLogger({ service: 'test', level: 'silent' }),
      }),
    });
  const redis = openRedis();
  return {
    api: open('interactive'),
    worker: open('background'),
    gmail: { inFlight: gmail.inFlight, peak: () => peak },
    /** Leaves messages unanswered until they are released. */
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
    isPartWanted: async () => (await redis.exists(`mailbox-quota:{${userId}}:wanted`)) === 1,
  };
};
