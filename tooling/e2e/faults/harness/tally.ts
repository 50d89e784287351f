import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** How a row of the reliability table fared. */
export interface Tally {
  row: string;
  /** How often something was broken. */
  runs: number;
  /** Events, records or requests that were lost. */
  lost: number;
  /** Events or records that exist more often than once. */
  doubled: number;
  /** The slowest response that a client got while things were broken, in milliseconds; null where none was timed. */
  slowestMs: number | null;
  /** The 99th percentile of how late a process's event loop was, by its own metric, in milliseconds. */
  loopDelayMs: number | null;
}

/** Adds a tally to the file that all test processes share. */
export const appendTally = (file: string, tally: Tally): void =>
  appendFileSync(file, `${JSON.stringify(tally)}\n`);

/** The tallies of all processes, summed up by row. */
export const readTallies = (file: string): Tally[] => {
  if (!existsSync(file)) return [];
  const byRow = new Map<string, Tally>();
  for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
    const tally = JSON.parse(line) as Tally;
    const sum = byRow.get(tally.row);
    byRow.set(tally.row, sum === undefined ? tally : add(sum, tally));
  }
  return [...byRow.values()].toSorted((a, b) => a.row.localeCompare(b.row));
};

const add = (a: Tally, b: Tally): Tally => ({
  row: a.row,
  runs: a.runs + b.runs,
  lost: a.lost + b.lost,
  doubled: a.doubled + b.doubled,
  slowestMs: largest(a.slowestMs, b.slowestMs),
  loopDelayMs: largest(a.loopDelayMs, b.loopDelayMs),
});

const largest = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);

const toCell = (ms: number | null): string => (ms === null ? '-' : String(Math.round(ms))).padStart(20);

/** The table that ends a campaign. */
export const toTable = (tallies: readonly Tally[]): string => {
  const lines = tallies.map(({ row, runs, lost, doubled, slowestMs, loopDelayMs }) =>
    [
      row.padEnd(5),
      String(runs).padStart(6),
      String(lost).padStart(6),
      String(doubled).padStart(8),
      toCell(slowestMs),
      toCell(loopDelayMs),
    ].join(' '),
  );
  return ['row     runs   lost  doubled  slowest response [ms]  event loop p99 [ms]', ...lines].join('\n');
};
