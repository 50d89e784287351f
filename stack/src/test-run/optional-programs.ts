import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Programs that some suites need and not every machine has. */
const OPTIONAL = [
  {
    names: ['redis-server'],
    variable: 'REDIS_URL',
    skipped: 'the queue on Redis (its Postgres backend is tested)',
    remedy: 'install redis-server, or set REDIS_URL',
  },
  {
    names: ['chromium', 'chromium-browser', 'google-chrome'],
    variable: 'CHROMIUM_PATH',
    skipped: 'everything in a real browser',
    remedy: 'install chromium, or set CHROMIUM_PATH',
  },
] as const;

/** A sentence for each kind of tests that can't run on this machine. */
export const findSkippedSuites = (env: Record<string, string | undefined>): string[] => {
  const folders = (env.PATH ?? '').split(delimiter);
  const isInstalled = (name: string): boolean => folders.some((folder) => existsSync(join(folder, name)));
  return OPTIONAL.filter(({ names, variable }) => !env[variable] && !names.some(isInstalled)).map(
    ({ skipped, remedy, names }) => `Not tested: ${skipped}; ${names[0]} is missing (${remedy}).`,
  );
};
