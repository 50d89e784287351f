import { isInFlight } from './api-errors.ts';

/**
 * Waits between attempts, in milliseconds. After a crash of the API it takes up to a minute until it is known what the
 * request did.
 */
const WAITS_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

/** Sends a request again, with the same key, for as long as the API is still carrying out an earlier attempt. */
export const whileInFlight = async <T>(
  send: () => Promise<T>,
  wait: (delayMs: number) => Promise<unknown> = (delayMs) =>
    new Promise((resolve) => setTimeout(resolve, delayMs)),
): Promise<T> => {
  for (const waitMs of WAITS_MS) {
    try {
      return await send();
    } catch (error) {
      if (!isInFlight(error)) throw error;
      await wait(waitMs);
    }
  }
  return await send();
};
