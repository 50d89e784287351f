import type {} from '@mailsweep/database/testing';
import { createRandom } from '@mailsweep/service-kit/testing';
import { afterAll, inject, vi } from 'vitest';
import { appendTally, type Tally } from './tally.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** `short` is part of every test run, `long` of the nightly one. */
    faultsForm: 'short' | 'long';
    faultsSeed: number;
    tallyFile: string;
  }
}

/** Takes the first in the short form of the campaign and the second in the long one. */
export const byForm = <T>(short: T, long: T): T => (inject('faultsForm') === 'long' ? long : short);

/**
 * What a loaded machine may add to a time limit, in milliseconds: the short form shares its machine with other
 * tests, the long form has it for itself.
 */
export const machineSlackMs = (): number => byForm(3_000, 0);

/**
 * How often a scenario under load is tried again. A machine that had no time for the processes makes them refuse
 * requests, as they should; a process that is at fault refuses again.
 */
export const retriesUnderLoad = (): number => byForm(2, 0);

/** How much longer the short form waits for what must come. */
const LONG_WAIT = 3;

/** Numbers from 0 up to but not including 1; the same for the same seed and purpose. */
export const seededRandom = (purpose: string): (() => number) =>
  createRandom(
    [...purpose].reduce(
      (hash, char) => Math.imul(hash ^ char.charCodeAt(0), 16_777_619),
      inject('faultsSeed'),
    ),
  );

/** What a scenario reports for the table at the end of the campaign. */
export interface Row {
  /** Something was broken once more. */
  ran(times?: number): void;
  lost(count: number): void;
  doubled(count: number): void;
  /** A client got a response while something was broken. */
  responded(tookMs: number): void;
  /** A process told how late its event loop was, at the 99th percentile. */
  heldUp(delayMs: number): void;
}

/** Opens the tally of a row; it ends with the file. */
export const openRow = (row: string): Row => {
  const tally: Tally = { row, runs: 0, lost: 0, doubled: 0, slowestMs: null, loopDelayMs: null };
  afterAll(() => appendTally(inject('tallyFile'), tally));
  return {
    ran(times = 1) {
      tally.runs += times;
    },
    lost(count) {
      tally.lost += count;
    },
    doubled(count) {
      tally.doubled += count;
    },
    responded(tookMs) {
      tally.slowestMs = Math.max(tally.slowestMs ?? 0, tookMs);
    },
    heldUp(delayMs) {
      tally.loopDelayMs = Math.max(tally.loopDelayMs ?? 0, delayMs);
    },
  };
};

/**
 * Waits until the assertions hold, and returns what the callback returns.
 *
 * @param withinMs - to be kept exactly by the long form; the short one is patient with a loaded machine
 */
export const eventually = <T>(callback: () => T | Promise<T>, withinMs = 30_000): Promise<T> =>
  vi.waitFor(callback, { timeout: withinMs * byForm(LONG_WAIT, 1), interval: 50 });
