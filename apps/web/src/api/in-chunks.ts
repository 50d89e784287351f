/** Cuts a list into pieces of at most `size` items, in order. */
export const inChunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_nothing, index) =>
    items.slice(index * size, (index + 1) * size),
  );
