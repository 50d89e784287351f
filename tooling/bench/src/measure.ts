/** One line of the table: what was measured, against what, and what is aimed at. */
export interface Result {
  name: string;
  unit: 'ms' | 'µs' | 'per second' | 'MB' | 'units' | 'calls' | '%' | 'decisions' | 'suggestions' | 'senders';
  ours: number;
  /** Absent: there is nothing to compare with; the target is an absolute one. */
  floor?: number;
  /** Ours over floor. */
  ratio?: number;
  /** In words, as in `at most 1.5 × the floor`. */
  target: string;
  isMet: boolean;
}

/** How fast processes work. */
export interface Speed {
  /** Responses or events. */
  perSecond: number;
  /** Processor time of the processes for one of them, in microseconds. */
  processorUs: number;
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

const mapValues = <Name extends string, From, To>(
  values: Record<Name, From>,
  map: (value: From) => To,
): Record<Name, To> =>
  Object.fromEntries(Object.entries<From>(values).map(([name, value]) => [name, map(value)])) as Record<
    Name,
    To
  >;

/**
 * Runs several pieces of work in turn, round by round, so that whatever else the machine does hits all of them alike;
 * every other round goes backwards, since work that walks through megabytes leaves cold caches to the next.
 *
 * @returns what each returned, by its rounds
 */
export const runInTurn = async <Name extends string, T>(
  works: Record<Name, () => Promise<T>>,
  rounds: number,
): Promise<Record<Name, T[]>> => {
  const results = mapValues(works, (): T[] => []);
  const names = Object.keys(works) as Name[];
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) results[name].push(await works[name]());
  }
  return results;
};

/**
 * Times several pieces of work in turn. The first rounds, in which caches fill, don't count.
 *
 * @returns the median of each, in milliseconds
 */
export const medianTimesMs = async <Name extends string>(
  works: Record<Name, () => Promise<unknown>>,
  rounds: { warmUp: number; counted: number },
): Promise<Record<Name, number>> => {
  const times = await runInTurn(
    mapValues(works, (work) => () => timeMs(work)),
    rounds.warmUp + rounds.counted,
  );
  return mapValues(times, (each) => median(each.slice(rounds.warmUp)));
};

/** The medians of rates that are measured in turn. */
export const medianRates = async <Name extends string>(
  runs: Record<Name, () => Promise<number>>,
  rounds: number,
): Promise<Record<Name, number>> => mapValues(await runInTurn(runs, rounds), median);

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
