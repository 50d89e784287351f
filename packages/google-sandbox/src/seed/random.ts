/** A source of chance that gives the same numbers for the same word, on every machine. */
export interface Random {
  /** From 0 up to but not including 1. */
  next(): number;
  /** A whole number, both ends included. */
  between(lowest: number, highest: number): number;
  /** True in the given share of cases, 0 to 1. */
  chance(share: number): boolean;
  pick<T>(items: readonly T[]): T;
}

/** FNV-1a, 32 bits: spreads words over the numbers. */
const hash = (word: string): number => {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(word, 'utf8')) value = Math.imul(value ^ byte, 0x01000193);
  return value >>> 0;
};

/** Makes a source of chance (mulberry32) from a word. */
export const createRandom = (word: string): Random => {
  let state = hash(word);
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (lowest: number, highest: number): number =>
    lowest + Math.floor(next() * (highest - lowest + 1));
  return {
    next,
    between,
    chance: (share) => next() < share,
    pick: (items) => {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new Error('There is nothing to pick from.');
      return item;
    },
  };
};
