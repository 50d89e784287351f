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

  it('runs once more after a wake during a run', async () => {
    const loop = startLoop(async (run) => {
      if (run === 1) queueMicrotask(() => loop.wake());
      await Promise.resolve();
      return false;
    });
    await loop.nextPause();
    expect(loop.runs()).toBe(2);
  });

  it('backs off after errors, longer each time, and wake() never shortens the backoff', async () => {
    const loop = startLoop(() => Promise.reject(AWAY));
    await loop.nextPause();
    loop.wake();
    expect(loop.runs()).toBe(1);
    loop.endPause();
    await loop.nextPause();
    expect(loop.pauses).toEqual([100, 200]);
  });

  it('resets its backoff after a success', async () => {
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

  it('reports the error and the first success after it', async () => {
    const reported: string[] = [];
    const outageLog = {
      failed: () => void reported.push('failed'),
      recovered: () => void reported.push('recovered'),
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
    expect(reported).toEqual(['failed', 'recovered']);
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
  it('waits for the run in flight', async () => {
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

  it('does not run again when it was idle', async () => {
    const loop = startLoop(async () => false);
    await loop.nextPause();
    await loop.close();
    loop.wake();
    await Promise.resolve();
    expect(loop.runs()).toBe(1);
  });

  it('does not run again when it was backing off', async () => {
    const loop = startLoop(() => Promise.reject(AWAY));
    await loop.nextPause();
    await loop.close();
    expect(loop.pauses).toEqual([100]);
  });

  it.each([
    ['idles', async () => false],
    ['backs off', () => Promise.reject(AWAY)],
  ])('no longer %s after the run in flight', async (_name, outcome) => {
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

/** A task that receives the number of its run, counted from 1. */
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
