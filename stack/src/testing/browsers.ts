import { findChromium, findFirefox, findHeadlessShell } from '../test-run/optional-programs.ts';

const { env } = process;

/** Where the browser of the end-to-end tests is; undefined where none is installed. */
export const chromiumPath = findChromium(env);

/** Where the same browser without windows and notifications is. */
export const headlessShellPath = findHeadlessShell(env);

/** Where Firefox is, which a few of them run in, too; undefined where it is not installed. */
export const firefoxPath = findFirefox(env);
