import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { isRunning } from '../database/process-table.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { createPartLog } from './part-log.ts';
import { spawnPart } from './part-process.ts';

const writeModule = (dir: string, name: string, source: string): string => {
  const path = join(dir, name);
  writeFileSync(path, source);
  return path;
};

const env = { PATH: '/usr/bin:/bin' };

it('runs a part with its variables, and stores its output', async () => {
  const dir = temporaryFolder();
  const module = writeModule(dir, 'part.mjs', 'console.log(process.env.GREETING); process.exit(3);');
  const log = createPartLog({ file: join(dir, 'part.log'), onError: () => undefined });
  const part = spawnPart({ module, env: { ...env, GREETING: 'hello' } }, log);
  expect(await part.exited).toBe('ended with code 3');
  expect(log.tail()).toEqual(['hello']);
});

it('asks a part to end, and ends it at once when asked to', async () => {
  const dir = temporaryFolder();
  const log = createPartLog({ file: join(dir, 'part.log'), onError: () => undefined });
  const deaf = writeModule(
    dir,
    'deaf.mjs',
    `process.on('SIGTERM', () => process.stdout.write('no\\n')); setInterval(() => {}, 1e6); process.stdout.write('up\\n');`,
  );
  const part = spawnPart({ module: deaf, env }, log);
  await vi.waitFor(() => expect(log.tail()).toContain('up'), { timeout: 5_000 });
  part.terminate();
  await vi.waitFor(() => expect(log.tail()).toContain('no'));
  part.kill();
  expect(await part.exited).toBe('was ended by SIGKILL');
  part.kill();
});

it('runs a watched part again when a module of it changes, also after a crash', async () => {
  const dir = temporaryFolder();
  const log = createPartLog({ file: join(dir, 'part.log'), onError: () => undefined });
  writeModule(dir, 'word.mjs', `export const word = 'one';`);
  const module = writeModule(
    dir,
    'part.mjs',
    `import { word } from './word.mjs'; process.stdout.write(word + '\\n'); setInterval(() => {}, 1e6);`,
  );
  const part = spawnPart({ module, env, isWatched: true }, log);
  onTestFinished(part.kill);
  const says = (word: string) => vi.waitFor(() => expect(log.tail()).toContain(word), { timeout: 10_000 });
  await says('one');
  writeModule(dir, 'word.mjs', `export const word = ''; throw new Error('broken');`);
  await says('Error: broken');
  writeModule(dir, 'word.mjs', `export const word = 'two';`);
  await says('two');
  part.terminate();
  await part.exited;
});

it.each([false, true])('leaves no part behind when the stack is killed, watched: %s', async (isWatched) => {
  const dir = temporaryFolder();
  const pidFile = join(dir, 'pid');
  const part = writeModule(dir, 'part.mjs', 'setInterval(() => {}, 1e6);');
  const stack = writeModule(
    dir,
    'stack.ts',
    `import { writeFileSync } from 'node:fs';
     import { createPartLog } from '${new URL('./part-log.ts', import.meta.url).href}';
     import { spawnPart } from '${new URL('./part-process.ts', import.meta.url).href}';
     const log = createPartLog({ file: '${join(dir, 'part.log')}', onError: () => undefined });
     writeFileSync('${pidFile}', String(spawnPart({ module: '${part}', env: {}, isWatched: ${isWatched} }, log).pid));
     setInterval(() => {}, 1e6);`,
  );
  const child = spawn(process.execPath, [stack], { stdio: 'ignore' });
  const pid = await vi.waitFor(
    () => Number(readFileSync(pidFile, 'utf8')) || Promise.reject(new Error('not yet')),
    {
      timeout: 10_000,
    },
  );
  expect(isRunning(pid)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 5_000 });
});
