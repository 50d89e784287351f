/** Detects a crashed worker soon, for tests in which several crash. */
export const QUICK_STALLS = { lockDuration: 1_000, stalledInterval: 500 };
