import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { REPOSITORY } from '../repository.ts';
import type { PartCommand } from '../supervision/part-process.ts';
import { answersAt } from '../supervision/readiness.ts';
import type { ProcessPart } from '../supervision/supervisor.ts';
import type { StackPlan } from './stack-plan.ts';

const WEB_DIR = join(REPOSITORY, 'apps/web');

/** Whether there is a web app to serve: built, unless it is built while it runs. */
export const hasWebApp = ({ isDev }: { isDev: boolean }): boolean =>
  existsSync(join(WEB_DIR, isDev ? 'vite.config.ts' : 'dist/index.html'));

/** The browser app: as it was built, or with hot reload. */
export const createWebPart = (plan: StackPlan): ProcessPart | null => {
  const { web, api } = plan.addresses;
  if (web === null) return null;
  const env = { ...plan.environment, PORT: String(plan.ports.web), API_ORIGIN: api };
  return {
    name: 'web',
    title: 'Web app',
    command: plan.config.isDev
      ? toDevCommand(plan.ports.web, env)
      : { module: join(WEB_DIR, 'server/main.ts'), env },
    isReady: () => answersAt(`${web}/`),
    startTimeoutMs: 60_000,
    stopTimeoutMs: 1_000,
  };
};

const toDevCommand = (port: number, env: Record<string, string>): PartCommand => {
  const manifest = createRequire(join(WEB_DIR, 'package.json')).resolve('vite/package.json');
  return {
    module: join(dirname(manifest), 'bin/vite.js'),
    arguments: ['--port', String(port), '--strictPort'],
    cwd: WEB_DIR,
    env,
  };
};
