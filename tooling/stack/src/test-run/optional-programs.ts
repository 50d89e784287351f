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
  {
    names: ['firefox-esr'],
    variable: 'FIREFOX_PATH',
    skipped: 'the main flows in Firefox',
    remedy: 'install firefox-esr, or set FIREFOX_PATH',
  },
] as const;

type Environment = Record<string, string | undefined>;

/** Where the first of some names is in the folders of `PATH`; undefined where none is. */
const findInPath = (names: readonly string[], { PATH = '' }: Environment): string | undefined =>
  names
    .flatMap((name) => PATH.split(delimiter).map((folder) => join(folder, name)))
    .find((place) => existsSync(place));

/** The browser of the end-to-end tests; undefined where none is installed. */
export const findChromium = (env: Environment): string | undefined =>
  env.CHROMIUM_PATH || findInPath(OPTIONAL[1].names, env);

/** The same browser without windows and notifications, for a quarter less processor time. */
export const findHeadlessShell = (env: Environment): string | undefined =>
  findInPath(['chromium-headless-shell'], env);

/** The other browser of the end-to-end tests; undefined where it is not installed. */
export const findFirefox = (env: Environment): string | undefined =>
  env.FIREFOX_PATH || findInPath(OPTIONAL[2].names, env);

/** A sentence for each kind of tests that can't run on this machine. */
export const findSkippedSuites = (env: Environment): string[] =>
  OPTIONAL.filter(({ names, variable }) => !env[variable] && findInPath(names, env) === undefined).map(
    ({ skipped, remedy }) => `Not tested: ${skipped} (${remedy}).`,
  );
