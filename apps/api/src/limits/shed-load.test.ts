import { createLogger, ProblemError } from '@mailsweep/service-kit';
import type { Request, Response } from 'express';
import { describe, expect, test } from 'vitest';
import { createLoadShedding, createSlotPool } from './shed-load.ts';

describe('shedding load', () => {
  test('refuses requests while all slots are taken', () => {
    const { ask, shed, slots } = setUp({ size: 1 });
    expect(ask()).toBe('passed');
    slots.take();
    expect(ask()).toBeInstanceOf(ProblemError);
    expect(ask()).toMatchObject({
      status: 503,
      code: 'overloaded',
      headers: { 'retry-after': '1' },
      isExpected: true,
    });
    expect(shed).toEqual(['in_flight', 'in_flight']);

    slots.giveBack();
    expect(ask()).toBe('passed');
  });

  test('refuses requests while the event loop falls behind, if many are worked on', () => {
    const load = { delayMs: 151 };
    const { ask, shed, slots } = setUp({ size: 1_000, delayMs: () => load.delayMs });
    for (let taken = 0; taken < 100; taken += 1) {
      expect(ask()).toBe('passed');
      slots.take();
    }
    expect(ask()).toBeInstanceOf(ProblemError);
    expect(shed).toEqual(['event_loop']);

    load.delayMs = 150;
    expect(ask()).toBe('passed');
  });

  test('lets exempt paths pass, whatever the load', () => {
    const { ask, slots } = setUp({ size: 1 });
    slots.take();
    expect(ask('/exempt')).toBe('passed');
    expect(ask()).toBeInstanceOf(ProblemError);
  });

  test('logs when it begins and when it ends, not each request', () => {
    const { ask, messages, slots } = setUp({ size: 4 });
    for (let taken = 0; taken < 4; taken += 1) slots.take();
    for (let count = 0; count < 5; count += 1) ask();
    expect(messages).toEqual(['overloaded: refusing requests']);
    for (let given = 0; given < 3; given += 1) slots.giveBack();
    ask();
    ask();
    expect(messages).toEqual(['overloaded: refusing requests', 'no longer overloaded: serving all requests']);
  });
});

const setUp = (options: { size: number; delayMs?: () => number }) => {
  const shed: string[] = [];
  const messages: string[] = [];
  const slots = createSlotPool({ size: options.size, onFull: () => undefined });
  const guard = createLoadShedding({
    slots,
    isExempt: (path) => path === '/exempt',
    delayMs: options.delayMs ?? (() => 0),
    onShed: (reason) => void shed.push(reason),
    logger: createLogger({
      service: 'test',
      level: 'info',
      destination: { write: (line) => void messages.push(JSON.parse(line).msg) },
    }),
  });
  /** Sends a request through the guard: the problem when it is refused. */
  const ask = (path = '/api/v1/emails'): unknown => {
    let outcome: unknown;
    try {
      guard({ path } as Request, {} as Response, () => {
        outcome = 'passed';
      });
    } catch (error) {
      return error;
    }
    return outcome;
  };
  return { shed, messages, slots, ask };
};
