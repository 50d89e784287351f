import { readdirSync, readFileSync } from 'node:fs';

const KB_PER_MB = 1_024;

const readProcess = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // It has ended.
    return '';
  }
};

/** Memory that a process holds, in MB, as Linux counts it. */
export const residentMb = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readProcess(pid, 'status'))?.[1] ?? 0) / KB_PER_MB;

/** What a process runs, the program first. */
export const commandOf = (pid: number): string[] => readProcess(pid, 'cmdline').split(/[\0 ]/);

const parentOf = (pid: number): number => {
  const stat = readProcess(pid, 'stat');
  // The name in parentheses may hold spaces; the parent is the second field after it.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
};

/** A process and all that descend from it. */
export const listProcessTree = (root: number): number[] => {
  const pids = readdirSync('/proc').map(Number).filter(Boolean);
  const children = Map.groupBy(pids, parentOf);
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
};

const TICK_MS = 10;

/**
 * Processor time that a process and all that descend from it have taken, ended ones included. Unit: milliseconds; NaN
 * where the machine does not run Linux.
 */
export const processorMs = (root: number): number => {
  if (process.platform !== 'linux') return NaN;
  return listProcessTree(root)
    .map((pid) => {
      const stat = readProcess(pid, 'stat');
      // User and system time: its own, and that of ended children it waited for.
      const ticks = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .slice(11, 15);
      return ticks.reduce((total, count) => total + Number(count), 0) * TICK_MS;
    })
    .reduce((total, ms) => total + ms, 0);
};
