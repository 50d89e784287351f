import type { JmapSession } from './jmap-client.ts';
import type { MethodCall } from './jmap-methods.ts';

/** Parts of a list, each of so many items at most. */
export const toChunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );

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
  const results: T[] = [];
  const size = Math.max(1, Math.min(mostPerRequest, session.limits.maxCallsInRequest));
  for (const request of toChunks(calls, size)) results.push(...(await session.send(request)));
  return results;
};
