import type { ApiClient, ResponseOf } from './client.ts';
import { isTransient, toWaitMs, wait } from './retries.ts';

const DEFAULT_INTERVAL_MS = 1_000;
const DEFAULT_PATIENCE_MS = 600_000;

export interface ProgressOptions {
  /** Ends following, not the work itself; the iterator then throws the reason of the signal. */
  signal?: AbortSignal;
  /** Between two requests: 1,000 ms by default. */
  intervalMs?: number;
  /** How long the API may be unavailable before its error is thrown: ten minutes by default. */
  patienceMs?: number;
}

/** Yields what `read` returns whenever it has changed. */
async function* follow<T>(
  read: () => Promise<T>,
  isFinished: (state: T) => boolean,
  { signal, intervalMs = DEFAULT_INTERVAL_MS, patienceMs = DEFAULT_PATIENCE_MS }: ProgressOptions,
): AsyncGenerator<T, void, undefined> {
  let last: T | undefined;
  let failures = 0;
  let lastResponseAt = Date.now();
  for (;;) {
    signal?.throwIfAborted();
    let waitMs = intervalMs;
    try {
      const state = await read();
      lastResponseAt = Date.now();
      failures = 0;
      // The client returns the same object where the API says that nothing has changed.
      if (state !== last) yield state;
      if (isFinished(state)) return;
      last = state;
    } catch (error) {
      waitMs = toWaitMs(failures, error);
      failures += 1;
      if (!isTransient(error) || Date.now() + waitMs - lastResponseAt > patienceMs) throw error;
    }
    await wait(waitMs, signal);
  }
}

/**
 * Follows a scan until it is finished. Goes on after a lost connection.
 *
 * @param id - of the scan
 * @throws as `client.getScan` does, but errors that pass only after `patienceMs`
 */
export const followScan = (
  client: Pick<ApiClient, 'getScan'>,
  id: string,
  options: ProgressOptions = {},
): AsyncGenerator<ResponseOf<'getScan'>, void, undefined> =>
  follow(
    () => client.getScan({ params: { id }, signal: options.signal }),
    (scan) => scan.finishedAt !== null,
    options,
  );

/**
 * Follows a cleanup until it is finished, or its plan has expired. A plan waits for `runCleanup`, one that
 * is to be confirmed for its user, a paused cleanup for `resumeCleanup`: they are followed until then. Goes on after a lost connection.
 *
 * @param id - of the cleanup
 * @throws as `client.getCleanup` does, but errors that pass only after `patienceMs`
 */
export const followCleanup = (
  client: Pick<ApiClient, 'getCleanup'>,
  id: string,
  options: ProgressOptions = {},
): AsyncGenerator<ResponseOf<'getCleanup'>, void, undefined> =>
  follow(
    () => client.getCleanup({ params: { id }, signal: options.signal }),
    (cleanup) => cleanup.finishedAt !== null || cleanup.state === 'expired',
    options,
  );
