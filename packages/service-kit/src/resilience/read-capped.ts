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
