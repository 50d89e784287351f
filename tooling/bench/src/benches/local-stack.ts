import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ListEmailsResponse, ListSuggestionsResponse } from '@mailsweep/contracts';
import { signInAtApi } from '@mailsweep/google-sandbox/testing/api-sign-in';
import { removePostgresData } from '@mailsweep/stack/testing';
import getPort from 'get-port';
import { atMost, type Result } from '../measure.ts';
import { commandOf, listProcessTree, residentMb } from '../product/process-tree.ts';

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));
const USER = 'ada@example.com';
const PAGES = 4;
const START_TIMEOUT_MS = 300_000;
const POLL_MS = 100;

interface Stack {
  api: string;
  web: string;
  pid: number;
}

/** The memory that all Node processes of `npm start` hold, npm included, after a sign-in and some use. */
export const measureLocalStack = async (): Promise<Result[]> => {
  const home = mkdtempSync(join(tmpdir(), 'mailsweep-bench-stack-'));
  const npm = spawn('npm', ['start', '--', '--web-port', String(await getPort())], {
    cwd: REPOSITORY,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      MAILSWEEP_HOME: home,
      PORT: String(await getPort()),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(npm, 'exit');
  const root = npm.pid;
  if (root === undefined) throw new Error('npm could not be started');
  let stack: Stack | undefined;
  try {
    stack = await untilStarted(join(home, 'stack.json'));
    await useLikeAUser(stack);
    const processes = listProcessTree(root).flatMap((each) => {
      const name = nodeProgramOf(commandOf(each));
      return name === undefined ? [] : [{ name, mb: residentMb(each) }];
    });
    const parts = processes.map(({ name, mb }) => `${name} ${Math.round(mb)}`).join(', ');
    const ours = processes.reduce((sum, { mb }) => sum + mb, 0);
    return [atMost(800, { name: `npm start, memory held (${parts})`, unit: 'MB', ours })];
  } finally {
    // A signal to npm may end the shell around it alone.
    if (stack === undefined) npm.kill();
    else process.kill(stack.pid);
    await exited;
    removePostgresData(join(home, 'postgres'));
    rmSync(home, { recursive: true, force: true });
  }
};

const untilStarted = async (stackFile: string): Promise<Stack> => {
  const deadlineMs = performance.now() + START_TIMEOUT_MS;
  while (!existsSync(stackFile)) {
    if (performance.now() > deadlineMs) throw new Error('npm start took too long');
    await sleep(POLL_MS);
  }
  return JSON.parse(readFileSync(stackFile, 'utf8')) as Stack;
};

/** Signs in, looks through emails and suggestions, archives and accepts some, and looks at the history. */
const useLikeAUser = async ({ api, web }: Stack): Promise<void> => {
  await fetch(`${web}/sign-in`);
  const { cookie } = await signInAtApi(api, USER);
  const ask = async <T>(path: string, body?: object): Promise<T> => {
    const response = await fetch(`${api}/api/v1/${path}`, {
      headers: { cookie, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path} responded with ${response.status}`);
    return (await response.json()) as T;
  };
  const page = await ask<ListEmailsResponse>('emails');
  let next = page.nextPageToken;
  for (let read = 1; read < PAGES && next !== null; read += 1) {
    next = (await ask<ListEmailsResponse>(`emails?pageToken=${next}`)).nextPageToken;
  }
  const suggested = await ask<ListSuggestionsResponse>('suggestions');
  const idsOf = (emails: readonly { id: string }[]) => emails.slice(0, 2).map(({ id }) => id);
  await ask('inbox/actions', { emailIds: idsOf(page.emails), action: 'archive' });
  await ask('notifications/confirm', { emailIds: idsOf(suggested.emails), action: 'accept' });
  await ask('notifications/history');
  await ask('notifications/summary');
};

/** What a process of Node runs; undefined for another program. */
const nodeProgramOf = ([program = '', ...words]: string[]): string | undefined => {
  if (program === 'npm') return program;
  if (basename(program) !== 'node') return undefined;
  const module = words.find((word) => /\.m?[jt]s$/.test(word) && !word.startsWith('file:')) ?? '';
  return /([^/]+)\/src\/main\.ts$/.exec(module)?.[1] ?? basename(module);
};
