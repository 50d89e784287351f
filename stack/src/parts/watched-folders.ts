import { globSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../repository.ts';
import type { ProcessPart } from '../supervision/supervisor.ts';
import type { StackPlan } from './stack-plan.ts';

/** What services are made of beside their own folder; the sandbox runs inside the stack. */
const SHARED = ['packages/*/src', 'prisma/src'];
const NOT_SHARED = ['packages/google-sandbox/src'];

/** With `--dev`, the folders whose changes start a service again; web has a way of its own. */
export const watchInDevelopment = (
  { config }: StackPlan,
  app: 'api' | 'worker' | 'ml',
): Pick<ProcessPart, 'watched'> => {
  if (!config.isDev) return {};
  const shared = globSync(SHARED, { cwd: REPOSITORY, exclude: NOT_SHARED });
  return { watched: [`apps/${app}/src`, ...shared].map((folder) => join(REPOSITORY, folder)) };
};
