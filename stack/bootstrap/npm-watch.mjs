import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** npm, its shell, and the shell that node's launcher is: more never stand between npm and us. */
const MAX_GENERATIONS = 6;
const POLL_MS = 500;

/** Parent and command line of a process; null when there is none. */
const readProcess = (pid) => {
  if (existsSync('/proc/self/stat')) {
    if (!existsSync(`/proc/${pid}/stat`)) return null;
    // The name in parentheses may hold spaces; the parent is the second field after it.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    return { parent, command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') };
  }
  const { stdout } = spawnSync('ps', ['-p', String(pid), '-o', 'ppid=,command='], { encoding: 'utf8' });
  const [, parent, command] = /^\s*(\d+)\s+(.*)/.exec(stdout ?? '') ?? [];
  return parent === undefined ? null : { parent: Number(parent), command };
};

/** The processes from our parent up to the npm that runs us; empty when no npm does. */
const findNpmLine = () => {
  const line = [];
  let pid = process.ppid;
  while (line.length < MAX_GENERATIONS && pid > 1) {
    const found = readProcess(pid);
    if (found === null) return [];
    line.push(pid);
    if (/\bnpm\b/.test(found.command) && !/\bsh\b/.test(found.command)) return line;
    pid = found.parent;
  }
  return [];
};

const isRunning = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // There is no such process any more.
    return false;
  }
};

/**
 * Tells when the npm that runs us has ended, or a shell between: a signal to npm often ends those alone, and kill -9
 * reaches nobody else.
 */
export const onNpmEnd = (callback) => {
  const line = findNpmLine();
  if (line.length === 0) return;
  const timer = setInterval(() => {
    if (line.every(isRunning)) return;
    clearInterval(timer);
    callback();
  }, POLL_MS);
  timer.unref();
};
