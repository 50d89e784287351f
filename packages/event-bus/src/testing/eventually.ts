import { vi } from 'vitest';

/** Long enough for a busy machine; what does come, comes at once. */
const PATIENCE = { timeout: 15_000, interval: 25 };

/** Waits until the assertions hold, and answers what the callback answers. */
export const eventually = <T>(callback: () => T | Promise<T>): Promise<T> => vi.waitFor(callback, PATIENCE);
