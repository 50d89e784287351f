import { describe, expect, it } from 'vitest';
import { DOMAIN_EVENTS_QUEUE, jobOptionsOf, PERSIST_QUEUE, RETRY_POLICIES, WEBHOOK_QUEUE } from './queues.ts';

const MIDDLE = () => 0.5;

it.each([DOMAIN_EVENTS_QUEUE, PERSIST_QUEUE] as const)('%s retries through a long outage', (queueName) => {
  const { attempts, retryDelayMs } = RETRY_POLICIES[queueName];
  expect(attempts).toBe(1_000);
  expect([1, 2, 9, 10, 999].map((made) => retryDelayMs(made, MIDDLE))).toEqual([
    100, 200, 25_600, 30_000, 30_000,
  ]);
});

it('a finished job leaves nothing behind, a dead letter waits for 30 days', () => {
  expect(jobOptionsOf(WEBHOOK_QUEUE)).toEqual({
    attempts: 9,
    backoff: { type: 'policy' },
    removeOnComplete: true,
    removeOnFail: { age: 30 * 24 * 60 * 60 },
    stackTraceLimit: 3,
  });
});

describe('the webhook queue', () => {
  it('retries after 5 s, 5 min, 30 min, 2 h, 5 h, then 10 h three times, and gives up', () => {
    const { attempts, retryDelayMs } = RETRY_POLICIES[WEBHOOK_QUEUE];
    const delaysS = Array.from({ length: attempts - 1 }, (_, made) => retryDelayMs(made + 1, MIDDLE) / 1_000);
    expect(delaysS).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 36_000, 36_000]);
  });

  it('outlasts a day without its receiver, however the jitter falls', () => {
    const { attempts, retryDelayMs } = RETRY_POLICIES[WEBHOOK_QUEUE];
    const shortestMs = Array.from({ length: attempts - 1 }, (_, made) => retryDelayMs(made + 1, () => 0));
    expect(shortestMs.reduce((sum, delayMs) => sum + delayMs)).toBeGreaterThan(24 * 3_600_000);
  });
});
