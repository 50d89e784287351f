import type { ActionBatch } from '@mailsweep/contracts';
import { describe, expect, it } from 'vitest';
import { sampleBatch } from '../../testing/sample-email.ts';
import { toAcceptance, toDecisionsByDay } from './decisions-by-day.ts';

const now = new Date(2026, 0, 31, 12);

const decision = (daysAgo: number, action: 'accept' | 'reject', total: number, undone = 0): ActionBatch =>
  sampleBatch({
    source: 'suggestions',
    action,
    total,
    undone,
    startedAt: new Date(2026, 0, 31 - daysAgo, 9).toISOString(),
  });

describe('decisions by day', () => {
  it('that were not undone are added up for each day, and a day without any is there as well', () => {
    const batches = [
      decision(0, 'accept', 3),
      decision(0, 'reject', 1),
      decision(2, 'accept', 5),
      decision(2, 'accept', 3, 2),
      decision(1, 'reject', 4, 4),
    ];
    const days = toDecisionsByDay({ batches, days: 3, now });
    expect(days.map(({ accepted, rejected }) => [accepted, rejected])).toEqual([
      [6, 0],
      [0, 0],
      [3, 1],
    ]);
  });

  it('leave out what is older than the chart', () => {
    const days = toDecisionsByDay({ batches: [decision(9, 'accept', 3)], days: 7, now });
    expect(days.every((day) => day.accepted === 0)).toBe(true);
  });

  it('have no acceptance rate without a decision', () => {
    expect(toAcceptance({ accepted: 0, rejected: 0 })).toBeNull();
    expect(toAcceptance({ accepted: 3, rejected: 1 })).toBe(0.75);
  });
});
