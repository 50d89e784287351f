/** One line of the table: what was measured, against what, and what is aimed at. */
export interface Result {
  name: string;
  unit: 'ms' | 'per second' | 'MB' | 'units' | 'calls' | '%' | 'decisions' | 'suggestions';
  ours: number;
  /** Absent: there is nothing to compare with; the target is an absolute one. */
  floor?: number;
  /** Ours over floor. */
  ratio?: number;
  /** In words, as in `at most 1.5 × the floor`. */
  target: string;
  isMet: boolean;
}

/** The middle one of several figures. */
export const median = (values: number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
};

/** The figure that so many of a hundred figures stay at or below. */
export const percentile = (percent: number, values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil((percent / 100) * values.length) - 1] ?? NaN;

/** How long some work takes, in milliseconds. */
export const timeMs = async (work: () => Promise<unknown>): Promise<number> => {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
};

/**
 * Times several pieces of work in turn, round by round, so that whatever else the machine does hits all of them
 * alike; every other round goes backwards, since work that walks through megabytes leaves cold caches to the next. The
 * first rounds, in which caches fill, don't count.
 *
 * @returns the median of each, in milliseconds
 */
export const medianTimesMs = async <Name extends string>(
  works: Record<Name, () => Promise<unknown>>,
  rounds: { warmUp: number; counted: number },
): Promise<Record<Name, number>> => {
  const entries = Object.entries(works) as [Name, () => Promise<unknown>][];
  const times = new Map<Name, number[]>(entries.map(([name]) => [name, []]));
  for (let round = -rounds.warmUp; round < rounds.counted; round += 1) {
    for (const [name, work] of round % 2 === 0 ? entries : entries.toReversed()) {
      const spentMs = await timeMs(work);
      if (round >= 0) times.get(name)?.push(spentMs);
    }
  }
  return Object.fromEntries(entries.map(([name]) => [name, median(times.get(name) ?? [])])) as Record<
    Name,
    number
  >;
};

/** The medians of rates that are measured in turn, a round of each after the other. */
export const medianRates = async <Name extends string>(
  runs: Record<Name, () => Promise<number>>,
  rounds: number,
): Promise<Record<Name, number>> => {
  const entries = Object.entries(runs) as [Name, () => Promise<number>][];
  const rates = new Map<Name, number[]>(entries.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of entries) rates.get(name)?.push(await run());
  }
  return Object.fromEntries(entries.map(([name]) => [name, median(rates.get(name) ?? [])])) as Record<
    Name,
    number
  >;
};

/** A result that may be at most so many times the floor. */
export const atMostTimes = (
  limit: number,
  line: { name: string; unit: Result['unit']; ours: number; floor: number },
): Result => {
  const ratio = line.ours / line.floor;
  return { ...line, ratio, target: `≤ ${limit} × the floor`, isMet: ratio <= limit };
};

/** A result that must be at least so many times the floor. */
export const atLeastTimes = (
  limit: number,
  line: { name: string; unit: Result['unit']; ours: number; floor: number },
): Result => {
  const ratio = line.ours / line.floor;
  return { ...line, ratio, target: `≥ ${limit} × the floor`, isMet: ratio >= limit };
};

/** A result with an absolute limit. */
export const atMost = (
  limit: number,
  line: { name: string; unit: Result['unit']; ours: number },
): Result => ({
  ...line,
  target: `≤ ${limit} ${line.unit}`,
  isMet: line.ours <= limit,
});
