import type { JmapSession } from './jmap-client.ts';
import type { Refusable } from './jmap-connections.ts';
import { JmapMethodError } from './jmap-errors.ts';
import type { JmapLimits, MethodCall } from './jmap-schemas.ts';

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

/** How many records a method call of a kind may have, of as many as there are. */
export const mostOf = ({ connection }: JmapSession, kind: string, wanted: number): number =>
  Math.min(wanted, connection.sizes.get(kind) ?? wanted);

/**
 * Remembers half as many records for calls of a kind, where the server has found so many too large.
 *
 * @returns whether fewer may do
 */
export const halve = ({ connection }: JmapSession, kind: string, sent: number, error: unknown): boolean => {
  const isTooLarge = error instanceof JmapMethodError && error.type === 'requestTooLarge';
  if (!isTooLarge || !kind.startsWith(error.method) || sent <= 1) return false;
  connection.sizes.set(kind, Math.min(connection.sizes.get(kind) ?? sent, Math.floor(sent / 2)));
  return true;
};

const REFUSALS: Readonly<Record<Refusable, { method: string; type: string }>> = {
  anchor: { method: 'Email/query', type: 'invalidArguments' },
  nesting: { method: 'Email/query', type: 'unsupportedFilter' },
  headers: { method: 'Email/get', type: 'invalidArguments' },
};

/**
 * Remembers what the server does not take, where that may be why it refused a call that had it.
 *
 * @returns whether it may do without
 */
export const noteRefusal = ({ connection }: JmapSession, sent: Refusable, error: unknown): boolean => {
  const { method, type } = REFUSALS[sent];
  const isRefusal = error instanceof JmapMethodError && error.method === method && error.type === type;
  if (!isRefusal || connection.refused.has(sent)) return false;
  connection.refused.add(sent);
  return true;
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
