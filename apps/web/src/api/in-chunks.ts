/** Cuts a list into pieces of at most `size` items, in order. */
export const inChunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_nothing, index) =>
    items.slice(index * size, (index + 1) * size),
  );

/** Why the later part of a list was not sent. */
export interface Stop<T> {
  error: unknown;
  /** The items of the request that failed, and of those after it. */
  left: T[];
}

/**
 * Sends a list in requests of at most `size` items, one after the other, up to the first that fails.
 *
 * @param send - also given how many requests came before
 * @throws when the first request fails; later errors are returned, as the earlier requests have had their effect
 */
export const sendInChunks = async <T, R>(
  items: readonly T[],
  size: number,
  send: (chunk: T[], index: number) => Promise<R>,
): Promise<{ responses: R[]; stopped?: Stop<T> }> => {
  const responses: R[] = [];
  for (const [index, chunk] of inChunks(items, size).entries()) {
    try {
      responses.push(await send(chunk, index));
    } catch (error) {
      if (responses.length === 0) throw error;
      return { responses, stopped: { error, left: items.slice(responses.length * size) } };
    }
  }
  return { responses };
};
