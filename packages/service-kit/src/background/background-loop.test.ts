import { describe, expect, it, onTestFinished } from 'vitest';
import { type Pause, startBackgroundLoop } from './background-loop.ts';

describe('a background loop', () => {
  it('runs again at once while there is more to do, then idles for the interval', async () => {
    const loop = startLoop(async (run) => run < 3);
    await loop.nextPause();
    expect(loop.runs()).toBe(3);
    expect(loop.pauses).toEqual([INTERVAL_MS]);
  });

  it('runs at once when it is woken while idle', async () => {
    const loop = startLoop(async () => false);
    await loop.nextPause();
    loop.wake();
    await loop.nextPause();
    expect(loop.runs()).toBe(2);
  });

  it('loses no wake that comes while it is at work', async () => {
    const loop = startLoop(async (run) => {
      if (run === 1) queueMicrotask(() => loop.wake());
      await Promise.resolve();
      return false;
    });
    await loop.nextPause();
    expect(loop.runs()).toBe(2);
  });

  it('backs off after failures, longer each time, and no wake cuts that short', async () => {
    const loop = startLoop(() => Promise.reject(AWAY));
    await loop.nextPause();
    loop.wake();
    expect(loop.runs()).toBe(1);
    loop.endPause();
    await loop.nextPause();
    expect(loop.pauses).toEqual([100, 200]);
  });

  it('begins anew with its delays after a success', async () => {
    const loop = startLoop(async (run) => {
      if (run === 3) return true;
      throw AWAY;
    });
    for (let failure = 1; failure < 3; failure += 1) {
      await loop.nextPause();
      loop.endPause();
    }
    await loop.nextPause();
    expect(loop.pauses).toEqual([100, 200, 100]);
  });

  it('tells of the failure and of the first success after it', async () => {
    const told: string[] = [];
    const outageLog = {
      failed: () => void told.push('failed'),
      recovered: () => void told.push('recovered'),
    };
    const loop = startLoop(
      async (run) => {
        if (run === 1) throw AWAY;
        return false;
      },
      { outageLog },
    );
    await loop.nextPause();
    loop.endPause();
    await loop.nextPause();
    expect(told).toEqual(['failed', 'recovered']);
  });

  it('runs again when the clock says so', async () => {
    const thirdRun = Promise.withResolvers<void>();
    const loop = startBackgroundLoop({
      ...QUIET,
      intervalMs: 1,
      retryDelayMs: () => 1,
      task: createTask(async (run) => {
        if (run === 1) throw AWAY;
        if (run === 3) thirdRun.resolve();
        return false;
      }),
    });
    await thirdRun.promise;
    await loop.close();
  });
});

describe('a background loop that is closed', () => {
  it('is so once the run under way is over', async () => {
    const finish = Promise.withResolvers<void>();
    let isFinished = false;
    const loop = startLoop(async () => {
      await finish.promise;
      isFinished = true;
      return true;
    });
    const closed = loop.close();
    finish.resolve();
    await closed;
    expect(isFinished).toBe(true);
    expect(loop.runs()).toBe(1);
  });

  it('runs no more, be it idle', async () => {
    const loop = startLoop(async () => false);
    await loop.nextPause();
    await loop.close();
    loop.wake();
    await Promise.resolve();
    expect(loop.runs()).toBe(1);
  });

  it('runs no more, be it at rest after a failure', async () => {
    const loop = startLoop(() => Promise.reject(AWAY));
    await loop.nextPause();
    await loop.close();
    expect(loop.pauses).toEqual([100]);
  });

  it.each([
    ['idles', async () => false],
    ['rests', () => Promise.reject(AWAY)],
  ])('%s no more after the run under way', async (_name, outcome) => {
    const finish = Promise.withResolvers<void>();
    const loop = startLoop(() => finish.promise.then(outcome));
    const closed = loop.close();
    finish.resolve();
    await closed;
    expect(loop.pauses).toEqual([]);
  });

  it('does not wait for the clock', async () => {
    const failed = Promise.withResolvers<void>();
    const loop = startBackgroundLoop({
      ...QUIET,
      retryDelayMs: () => 3_600_000,
      outageLog: { ...QUIET.outageLog, failed: () => failed.resolve() },
      task: () => Promise.reject(AWAY),
    });
    await failed.promise;
    await expect(loop.close()).resolves.toBeUndefined();
  });
});

const INTERVAL_MS = 5_000;
const AWAY = new Error('away');

const QUIET = {
  intervalMs: INTERVAL_MS,
  retryDelayMs: (attemptsMade: number) => attemptsMade * 100,
  outageLog: { failed: () => undefined, recovered: () => undefined },
};

/** A task that is told which run it is, counted from 1. */
const createTask = (work: (run: number) => Promise<boolean>) => {
  let runs = 0;
  return Object.assign(
    () => {
      runs += 1;
      return work(runs);
    },
    { runs: () => runs },
  );
};

/** Starts a loop whose pauses last until the test or the loop ends them; the end of the test closes it. */
const startLoop = (work: (run: number) => Promise<boolean>, changes: Partial<typeof QUIET> = {}) => {
  const task = createTask(work);
  const { pause, ...pausing } = createManualPause();
  const loop = startBackgroundLoop({ ...QUIET, ...changes, pause, task });
  onTestFinished(() => loop.close());
  return { ...loop, ...pausing, runs: task.runs };
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
