/** Splits a list into chunks, in order. */
export const inChunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_nothing, index) =>
    items.slice(index * size, (index + 1) * size),
  );

/** Why the rest of a list was not sent. */
export interface Stop<T> {
  error: unknown;
  /** Items of the failed request and of later ones. */
  left: T[];
}

/**
 * Sends a list in chunks, one after the other, and stops at the first that fails.
 *
 * @param send - also receives the number of earlier requests
 * @throws if the first request fails; later errors are returned, as the earlier requests took effect
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
