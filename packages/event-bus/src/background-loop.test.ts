import { describe, expect, it } from 'vitest';
import { type Pause, startBackgroundLoop } from './background-loop.ts';

describe('a background loop', () => {
  it('runs again at once while there is more to do, then idles for the interval', async () => {
    const { pause, pauses, nextPause } = createManualPause();
    const answers = [true, true, false];
    let runs = 0;
    const loop = startBackgroundLoop({
      ...QUIET,
      pause,
      task: async () => {
        runs += 1;
        return answers.shift() ?? false;
      },
    });
    await nextPause();
    expect(runs).toBe(3);
    expect(pauses).toEqual([INTERVAL_MS]);
    await loop.close();
  });

  it('runs at once when it is woken while idle', async () => {
    const { pause, nextPause } = createManualPause();
    let runs = 0;
    const loop = startBackgroundLoop({
      ...QUIET,
      pause,
      task: async () => {
        runs += 1;
        return false;
      },
    });
    await nextPause();
    loop.wake();
    await nextPause();
    expect(runs).toBe(2);
    await loop.close();
  });

  it('loses no wake that comes while it is at work', async () => {
    const { pause, nextPause } = createManualPause();
    let runs = 0;
    const loop = startBackgroundLoop({
      ...QUIET,
      pause,
      task: async () => {
        runs += 1;
        if (runs === 1) queueMicrotask(() => loop.wake());
        await Promise.resolve();
        return false;
      },
    });
    await nextPause();
    expect(runs).toBe(2);
    await loop.close();
  });

  it('backs off after failures, longer each time, and no wake cuts that short', async () => {
    const { pause, pauses, nextPause, endPause } = createManualPause();
    let runs = 0;
    const loop = startBackgroundLoop({
      ...QUIET,
      pause,
      task: async () => {
        runs += 1;
        throw new Error('away');
      },
    });
    await nextPause();
    loop.wake();
    expect(runs).toBe(1);
    endPause();
    await nextPause();
    expect(pauses).toEqual([100, 200]);
    await loop.close();
  });

  it('tells of the failure and of the first success after it', async () => {
    const { pause, nextPause, endPause } = createManualPause();
    const told: string[] = [];
    let runs = 0;
    const loop = startBackgroundLoop({
      ...QUIET,
      pause,
      outageLog: { failed: () => void told.push('failed'), recovered: () => void told.push('recovered') },
      task: async () => {
        runs += 1;
        if (runs === 1) throw new Error('away');
        return false;
      },
    });
    await nextPause();
    endPause();
    await nextPause();
    expect(told).toEqual(['failed', 'recovered']);
    await loop.close();
  });

  it('closes once the run under way is over', async () => {
    const started = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    let isFinished = false;
    const loop = startBackgroundLoop({
      ...QUIET,
      task: async () => {
        started.resolve();
        await finish.promise;
        isFinished = true;
        return true;
      },
    });
    await started.promise;
    const closed = loop.close();
    finish.resolve();
    await closed;
    expect(isFinished).toBe(true);
  });
});

describe('a background loop that is closed', () => {
  it('runs no more, be it idle', async () => {
    const { pause, nextPause } = createManualPause();
    let runs = 0;
    const loop = startBackgroundLoop({
      ...QUIET,
      pause,
      task: async () => {
        runs += 1;
        return false;
      },
    });
    await nextPause();
    await loop.close();
    loop.wake();
    await Promise.resolve();
    expect(runs).toBe(1);
  });

  it('runs no more, be it at rest after a failure', async () => {
    const { pause, pauses, nextPause } = createManualPause();
    const loop = startBackgroundLoop({ ...QUIET, pause, task: () => Promise.reject(new Error('away')) });
    await nextPause();
    await loop.close();
    expect(pauses).toEqual([100]);
  });

  it.each([
    ['idles', async () => false],
    ['rests', () => Promise.reject(new Error('away'))],
  ])('%s no more after the run under way', async (_name, outcome) => {
    const { pause, pauses } = createManualPause();
    const finish = Promise.withResolvers<void>();
    const loop = startBackgroundLoop({ ...QUIET, pause, task: () => finish.promise.then(outcome) });
    const closed = loop.close();
    finish.resolve();
    await closed;
    expect(pauses).toEqual([]);
  });

  it('does not wait for the clock', async () => {
    const failed = Promise.withResolvers<void>();
    const loop = startBackgroundLoop({
      ...QUIET,
      retryDelayMs: () => 3_600_000,
      outageLog: { ...QUIET.outageLog, failed: () => failed.resolve() },
      task: () => Promise.reject(new Error('away')),
    });
    await failed.promise;
    await expect(loop.close()).resolves.toBeUndefined();
  });
});

it('a background loop runs again when the clock says so', async () => {
  const thirdRun = Promise.withResolvers<void>();
  let runs = 0;
  const loop = startBackgroundLoop({
    ...QUIET,
    intervalMs: 1,
    retryDelayMs: () => 1,
    task: async () => {
      runs += 1;
      if (runs === 1) throw new Error('away');
      if (runs === 3) thirdRun.resolve();
      return false;
    },
  });
  await thirdRun.promise;
  await loop.close();
});

it('a background loop begins anew with its delays after a success', async () => {
  const { pause, pauses, nextPause, endPause } = createManualPause();
  const outcomes = [false, false, true, false];
  const loop = startBackgroundLoop({
    ...QUIET,
    pause,
    task: async () => {
      if (outcomes.shift() === true) return true;
      throw new Error('away');
    },
  });
  for (let failure = 1; failure < 3; failure += 1) {
    await nextPause();
    endPause();
  }
  await nextPause();
  expect(pauses).toEqual([100, 200, 100]);
  await loop.close();
});

const INTERVAL_MS = 5_000;

const QUIET = {
  intervalMs: INTERVAL_MS,
  retryDelayMs: (attemptsMade: number) => attemptsMade * 100,
  outageLog: { failed: () => undefined, recovered: () => undefined },
};

/** A pause that lasts until the test or the loop ends it. */
const createManualPause = () => {
  const pauses: number[] = [];
  let begun = Promise.withResolvers<void>();
  let ended = Promise.withResolvers<void>();
  const pause: Pause = (delayMs, signal) => {
    pauses.push(delayMs);
    ended = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => ended.resolve());
    begun.resolve();
    return ended.promise;
  };
  return {
    pause,
    pauses,
    endPause: () => ended.resolve(),
    /** Resolves when the loop comes to its next pause. */
    async nextPause() {
      await begun.promise;
      begun = Promise.withResolvers<void>();
    },
  };
};
