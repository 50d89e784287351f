import { Readable } from 'node:stream';

/**
 * Waits for work no longer than a deadline; the work itself goes on.
 *
 * @param deadlineMs - from now, in milliseconds
 * @param toError - what to reject with when time is up
 */
export const withDeadline = async <T>(
  work: Promise<T>,
  deadlineMs: number,
  toError: () => Error,
): Promise<T> => {
  const deadline = Promise.withResolvers<never>();
  const timer = setTimeout(() => deadline.reject(toError()), deadlineMs);
  return Promise.race([work, deadline.promise]).finally(() => clearTimeout(timer));
};

/**
 * Waits for a promise, but not longer than the deadline.
 *
 * @returns whether it resolved in time
 * @throws what the promise rejects with in time
 */
export const resolvesWithin = async (work: Promise<unknown>, deadlineMs: number): Promise<boolean> => {
  const late = new Error('the deadline has passed');
  try {
    await withDeadline(work, deadlineMs, () => late);
    return true;
  } catch (error) {
    if (error === late) return false;
    throw error;
  }
};

/**
 * Reads a stream to its end, but no further than a limit. Beyond that the stream is destroyed, and with it the
 * connection it comes from.
 *
 * @returns undefined when there is more than `maxBytes`
 */
export const readCapped = async (
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Buffer | undefined> => {
  // The loop throws errors of the stream. One that comes later has no reader, and would end the process: got's time limit
  // does when a server responds before it has read the whole request.
  if (stream instanceof Readable) stream.on('error', () => undefined);
  const chunks: Uint8Array[] = [];
  let byteCount = 0;
  for await (const chunk of stream) {
    byteCount += chunk.length;
    // Leaving the loop destroys the stream.
    if (byteCount > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/**
 * Does work that holds a lease, and renews the lease at an interval until the work has ended. The work goes on when a
 * renewal fails: what it writes has to be guarded by the lease itself.
 *
 * @param options.renew - rejects when the lease could not be renewed
 * @param options.onFailure - called with what it rejected with
 */
export const whileRenewing = async <T>(
  work: () => Promise<T>,
  options: { renew: () => Promise<unknown>; intervalMs: number; onFailure: (error: unknown) => void },
): Promise<T> => {
  const timer = setInterval(() => void options.renew().catch(options.onFailure), options.intervalMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
};
