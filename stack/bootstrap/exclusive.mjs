import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 250;

const isRunning = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

const readHolder = (file) => {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    // Given back at this moment.
    return 0;
  }
};

/** Does some work on a checkout while no other bootstrap works on the same one. */
export const exclusively = async (root, work) => {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16);
  const file = join(tmpdir(), `mailsweep-bootstrap-${name}.lock`);
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = readHolder(file);
    if (holder > 0 && !isRunning(holder)) rmSync(file, { force: true });
    else await delay(POLL_MS);
  }
  const giveBack = () => rmSync(file, { force: true });
  process.once('exit', giveBack);
  try {
    return await work();
  } finally {
    giveBack();
    process.off('exit', giveBack);
  }
};
