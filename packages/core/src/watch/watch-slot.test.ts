import { v7 as uuidv7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { nextWatchSlot } from './watch-slot.ts';

const MINUTE_MS = 60_000;
const NOW_MS = Date.UTC(2026, 5, 15, 12);

describe('the slots of a watch', () => {
  it.each([5, 15, 30, 60, 180])('come every %i minutes, whenever one asks', (everyMinutes) => {
    const userId = uuidv7();
    const first = nextWatchSlot(userId, everyMinutes, NOW_MS).getTime();
    expect(first).toBeGreaterThan(NOW_MS);
    expect(first).toBeLessThanOrEqual(NOW_MS + everyMinutes * MINUTE_MS);
    expect(nextWatchSlot(userId, everyMinutes, first - 1).getTime()).toBe(first);
    expect(nextWatchSlot(userId, everyMinutes, first).getTime()).toBe(first + everyMinutes * MINUTE_MS);
  });

  it('are spread evenly over the interval', () => {
    const USERS = 3_000;
    const perMinute = new Map<number, number>();
    for (let user = 0; user < USERS; user += 1) {
      const minute = Math.floor((nextWatchSlot(`user-${user}`, 15, NOW_MS).getTime() - NOW_MS) / MINUTE_MS);
      perMinute.set(minute, (perMinute.get(minute) ?? 0) + 1);
    }
    expect(perMinute.size).toBe(15);
    // 200 each, with a standard deviation of 14.
    for (const count of perMinute.values()) expect(Math.abs(count - USERS / 15)).toBeLessThan(70);
  });
});
