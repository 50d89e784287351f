// `node .ci/start-once.mjs` in the root: runs `npm start` as a user does, waits until the API responds, and ends it with Ctrl-C. Plain
// JavaScript: CI runs it on each Node and system that the README names, before anything is installed.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const TIMEOUT_MS = 900_000;

const stackFile = '.mailsweep/stack.json';
const child = spawn('npm', ['start'], {
  stdio: 'inherit',
  // Ctrl-C reaches all of a group.
  detached: true,
});
let code;
child.on('exit', (exitCode) => {
  code = exitCode ?? 1;
});

const deadline = Date.now() + TIMEOUT_MS;
while (!existsSync(stackFile) && code === undefined && Date.now() < deadline) await delay(500);
if (code !== undefined || !existsSync(stackFile)) throw new Error('npm start did not get ready');
const { api, web } = JSON.parse(readFileSync(stackFile, 'utf8'));
for (const url of [`${api}/api/v1/health/db`, web]) {
  const { status } = await fetch(url);
  process.stdout.write(`${url}: ${status}\n`);
  if (status !== 200) process.exitCode = 1;
}
process.kill(-child.pid, 'SIGINT');
while (code === undefined) await delay(100);
if (existsSync(stackFile)) throw new Error('npm start left its stack behind');
