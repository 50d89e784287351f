import { expect, test } from 'vitest';
import { nextRuleRun } from './rule-schedule.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const DUE = new Date('2026-03-01T08:00:00.000Z');

test.each([
  ['an hour later where it takes new email', 0, 5 * 60_000, true, HOUR_MS],
  ['a day later otherwise', 7, 5 * 60_000, true, DAY_MS],
  ['in its time of day, also after it ran late', 7, 3 * DAY_MS + HOUR_MS, true, 4 * DAY_MS],
  ['once for all that was missed', 0, 10 * HOUR_MS, true, 11 * HOUR_MS],
  ['within the hour where emails are left', 7, 5 * 60_000, false, HOUR_MS],
])('a rule is due %s', (_name, olderThan, lateMs, isComplete, expectedMs) => {
  const next = nextRuleRun(DUE, olderThan, { nowMs: DUE.getTime() + lateMs, isComplete });
  expect(next.getTime() - DUE.getTime()).toBe(expectedMs);
});
