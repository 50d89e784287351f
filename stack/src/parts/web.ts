import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { listen } from '@mailsweep/service-kit';
import { createWebApp } from '@mailsweep/web/server';
import { REPOSITORY } from '../repository.ts';
import type { PartCommand } from '../supervision/part-process.ts';
import { respondsAt } from '../supervision/readiness.ts';
import type { Part } from '../supervision/supervisor.ts';
import type { StackPlan } from './stack-plan.ts';

const WEB_DIR = join(REPOSITORY, 'apps/web');
const BUILT_DIR = join(WEB_DIR, 'dist');

/** Whether there is a web app to serve: built, unless it is built while it runs. */
export const hasWebApp = ({ isDev }: { isDev: boolean }): boolean =>
  existsSync(isDev ? join(WEB_DIR, 'vite.config.ts') : join(BUILT_DIR, 'index.html'));

/** The browser app: as it was built, or with hot reload in a process of its own. */
export const createWebPart = (plan: StackPlan): Part | null => {
  const { web, api } = plan.addresses;
  if (web === null) return null;
  const port = plan.ports.web;
  const part = {
    name: 'web',
    title: 'Web app',
    isReady: () => respondsAt(`${web}/`),
    startTimeoutMs: 60_000,
    stopTimeoutMs: 1_000,
  } as const;
  return plan.config.isDev
    ? { ...part, command: toDevCommand(plan, port, api) }
    : { ...part, open: () => listen({ app: createWebApp({ directory: BUILT_DIR, apiOrigin: api }), port }) };
};

const toDevCommand = (plan: StackPlan, port: number, api: string): PartCommand => {
  const manifest = createRequire(join(WEB_DIR, 'package.json')).resolve('vite/package.json');
  return {
    module: join(dirname(manifest), 'bin/vite.js'),
    arguments: ['--port', String(port), '--strictPort'],
    cwd: WEB_DIR,
    env: { ...plan.environment, PORT: String(port), API_ORIGIN: api },
  };
};
