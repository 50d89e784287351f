/** Notices a dead worker soon, for tests in which several die. */
export const QUICK_STALLS = { lockDuration: 1_000, stalledInterval: 500 };
