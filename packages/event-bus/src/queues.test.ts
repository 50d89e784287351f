import { expect, it } from 'vitest';
import { DOMAIN_EVENTS_QUEUE, jobOptionsOf, LOG_QUEUE, PERSIST_QUEUE, RETRY_POLICIES } from './queues.ts';

const MIDDLE = () => 0.5;

it.each([DOMAIN_EVENTS_QUEUE, PERSIST_QUEUE] as const)(
  '%s keeps at it while something is away',
  (queueName) => {
    const { attempts, retryDelayMs } = RETRY_POLICIES[queueName];
    expect(attempts).toBe(1_000);
    expect([1, 2, 9, 10, 999].map((made) => retryDelayMs(made, MIDDLE))).toEqual([
      100, 200, 25_600, 30_000, 30_000,
    ]);
  },
);

it('the log queue tries three times, from a second up to a minute apart', () => {
  const { attempts, retryDelayMs } = RETRY_POLICIES[LOG_QUEUE];
  expect(attempts).toBe(3);
  expect([1, 2, 7].map((made) => retryDelayMs(made, MIDDLE))).toEqual([1_000, 2_000, 60_000]);
});

it('a finished job leaves nothing behind, a dead letter waits for 30 days', () => {
  expect(jobOptionsOf(LOG_QUEUE)).toEqual({
    attempts: 3,
    backoff: { type: 'policy' },
    removeOnComplete: true,
    removeOnFail: { age: 30 * 24 * 60 * 60 },
    stackTraceLimit: 3,
  });
});
