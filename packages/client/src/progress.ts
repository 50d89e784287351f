import { type ApiClient, type ResponseOf, refuseOthers } from './client.ts';
import { isTransient, toWaitMs, wait } from './retries.ts';

const DEFAULT_INTERVAL_MS = 1_000;
const DEFAULT_PATIENCE_MS = 600_000;

export interface ProgressOptions {
  /** Ends following, not the work; the iterator throws the signal's reason. */
  signal?: AbortSignal;
  /** Between requests: 1,000 by default. */
  intervalMs?: number;
  /** How long the API may be away before its error is thrown: ten minutes by default. */
  patienceMs?: number;
}

/** Yields each change of what `read` returns. */
async function* follow<T>(
  read: () => Promise<T>,
  isFinished: (state: T) => boolean,
  options: ProgressOptions,
): AsyncGenerator<T, void, undefined> {
  refuseOthers(options, ['signal', 'intervalMs', 'patienceMs'], 'Following');
  const { signal, intervalMs = DEFAULT_INTERVAL_MS, patienceMs = DEFAULT_PATIENCE_MS } = options;
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
      // The client returns the same object after 304.
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
 * Follows a scan to its end, also after a lost connection.
 *
 * @param id - of the scan
 * @throws as `client.getScan` does, passing errors only after `patienceMs`
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
 * Follows a cleanup until it ends or its plan expires, also after a lost connection, and while it waits for
 * `runCleanup`, `resumeCleanup` or its user.
 *
 * @param id - of the cleanup
 * @throws as `client.getCleanup` does, passing errors only after `patienceMs`
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
