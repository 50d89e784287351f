import { vi } from 'vitest';

/** Long enough for a busy machine. */
const WAIT = { timeout: 15_000, interval: 25 };

/** Waits until the assertions hold, and returns the callback's result. */
export const eventually = <T>(callback: () => T | Promise<T>): Promise<T> => vi.waitFor(callback, WAIT);
