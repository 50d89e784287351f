import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '@mailsweep/service-kit/resilience';

export interface SimulatedClock extends Clock {
  /** Lets time pass, from one wait's end to the next, until the work is done. */
  run<T>(work: Promise<T>): Promise<T>;
}

/** Turns of the event loop after which everything that can go on without a wait has gone on. */
const IDLE_TURNS = 8;

/** A clock on which many may wait side by side: it jumps to the end of the shortest wait when nobody has work left. */
export const createSimulatedClock = (startMs = Date.UTC(2026, 0, 1)): SimulatedClock => {
  let nowMs = startMs;
  let sleepers: { untilMs: number; wake: () => void }[] = [];

  const jump = (): void => {
    nowMs = Math.min(...sleepers.map(({ untilMs }) => untilMs));
    const due = sleepers.filter(({ untilMs }) => untilMs <= nowMs);
    sleepers = sleepers.filter(({ untilMs }) => untilMs > nowMs);
    for (const { wake } of due) wake();
  };

  return {
    nowMs: () => nowMs,
    sleep: (delayMs) =>
      new Promise((resolve) => sleepers.push({ untilMs: nowMs + Math.max(0, delayMs), wake: resolve })),
    async run(work) {
      let isDone = false;
      const markDone = () => {
        isDone = true;
      };
      work.then(markDone, markDone);
      while (!isDone) {
        for (let turn = 0; turn < IDLE_TURNS && !isDone; turn += 1) await nextTurn();
        if (!isDone && sleepers.length > 0) jump();
      }
      return await work;
    },
  };
};
