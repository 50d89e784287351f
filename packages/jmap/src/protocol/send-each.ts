import type { JmapSession } from './jmap-client.ts';
import type { MethodCall } from './jmap-methods.ts';
import type { JmapLimits } from './jmap-schemas.ts';

/** Room in a request for everything but the arguments of its calls, and in a call for all but its list, in bytes. */
const ENVELOPE_BYTES = 2_000;

const toBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value)) + 1;

/**
 * Parts of a list, each of so many items at most, and no larger as JSON than a request may be.
 *
 * @param toSent - what is sent of an item
 */
export const toChunks = <T>(
  items: readonly T[],
  most: number,
  { maxSizeRequest }: Pick<JmapLimits, 'maxSizeRequest'>,
  toSent: (item: T) => unknown = (item) => item,
): T[][] => {
  const chunks: T[][] = [];
  const roomBytes = Math.max(1, maxSizeRequest - ENVELOPE_BYTES);
  let leftBytes = 0;
  for (const item of items) {
    const bytes = toBytes(toSent(item));
    const last = chunks.at(-1);
    if (last === undefined || last.length >= most || bytes > leftBytes) {
      chunks.push([item]);
      leftBytes = roomBytes - bytes;
    } else {
      last.push(item);
      leftBytes -= bytes;
    }
  }
  return chunks;
};

/**
 * Sends method calls that do not refer to each other, in as many requests as they need, one after another.
 *
 * @param mostPerRequest - how many calls a request may have, if the server takes so many
 * @throws {MailboxError}
 */
export const sendEach = async <T>(
  session: JmapSession,
  calls: readonly MethodCall<T>[],
  mostPerRequest = calls.length,
): Promise<T[]> => {
  const { limits } = session;
  const results: T[] = [];
  const most = Math.min(mostPerRequest, limits.maxCallsInRequest);
  for (const request of toChunks(calls, most, limits, (call) => call.arguments)) {
    results.push(...(await session.send(request)));
  }
  return results;
};
