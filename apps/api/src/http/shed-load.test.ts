import { EventEmitter } from 'node:events';
import { createLogger, ProblemError } from '@mailsweep/service-kit';
import type { Request, Response } from 'express';
import { describe, expect, test } from 'vitest';
import { createBulkhead, createLoadShedding } from './shed-load.ts';

describe('shedding load', () => {
  test('refuses requests beyond the limit, and takes them again when others are done', () => {
    const { ask, shed } = setUp({ maxInFlight: 2 });
    const first = ask();
    ask();
    expect(ask()).toBeInstanceOf(ProblemError);
    expect(shed).toEqual(['in_flight']);

    (first as EventEmitter).emit('close');
    expect(ask()).toBeInstanceOf(EventEmitter);
    expect(ask()).toMatchObject({
      status: 503,
      code: 'overloaded',
      headers: { 'retry-after': '1' },
      isExpected: true,
    });
  });

  test('refuses requests while the event loop falls behind, if many are under way', () => {
    const load = { delayMs: 151 };
    const { ask, shed } = setUp({ maxInFlight: 1_000, delayMs: () => load.delayMs });
    const taken = Array.from({ length: 100 }, () => ask());
    expect(taken.filter((answer) => answer instanceof ProblemError)).toEqual([]);
    expect(ask()).toBeInstanceOf(ProblemError);
    expect(shed).toEqual(['event_loop']);

    load.delayMs = 150;
    expect(ask()).toBeInstanceOf(EventEmitter);
  });

  test('lets health checks pass, whatever the load', () => {
    const { ask } = setUp({ maxInFlight: 1 });
    ask();
    for (const path of ['/api/v1/health', '/api/v1/health/db'])
      expect(ask(path)).toBeInstanceOf(EventEmitter);
    expect(ask()).toBeInstanceOf(ProblemError);
  });

  test('tells the log when it begins and when it ends, not of each request', () => {
    const { ask, messages } = setUp({ maxInFlight: 4 });
    const taken = Array.from({ length: 4 }, () => ask() as EventEmitter);
    for (let count = 0; count < 5; count += 1) ask();
    expect(messages).toEqual(['too much to do: refusing requests']);
    for (const response of taken) response.emit('close');
    ask();
    ask();
    expect(messages).toEqual(['too much to do: refusing requests', 'no longer refusing requests']);
  });
});

test('a bulkhead refuses what is beyond its own share', () => {
  const refusals: number[] = [];
  const bulkhead = createBulkhead({ maxInFlight: 1, onShed: () => refusals.push(1) });
  const first = pass(bulkhead);
  expect(pass(bulkhead)).toMatchObject({ code: 'overloaded' });
  expect(refusals).toHaveLength(1);
  (first as EventEmitter).emit('close');
  expect(pass(bulkhead)).toBeInstanceOf(EventEmitter);
});

/** Sends a request through a guard: the response when it passes, else the problem. */
const pass = (guard: ReturnType<typeof createBulkhead>, path = '/api/v1/emails'): unknown => {
  const response = new EventEmitter();
  let isPassed = false;
  try {
    guard({ path } as Request, response as Response, () => {
      isPassed = true;
    });
  } catch (error) {
    return error;
  }
  return isPassed ? response : undefined;
};

const setUp = (options: { maxInFlight: number; delayMs?: () => number }) => {
  const shed: string[] = [];
  const messages: string[] = [];
  const guard = createLoadShedding({
    delayMs: () => 0,
    ...options,
    onShed: (reason) => void shed.push(reason),
    logger: createLogger({
      service: 'test',
      level: 'info',
      destination: { write: (line) => void messages.push(JSON.parse(line).msg) },
    }),
  });
  return { shed, messages, ask: (path?: string) => pass(guard, path) };
};
