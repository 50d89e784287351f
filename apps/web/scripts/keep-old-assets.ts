import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Plugin } from 'vite';

/** How long a tab of an earlier build still finds its parts. Unit: milliseconds. */
const KEPT_MS = 7 * 24 * 60 * 60_000;
const ASSETS = 'assets';
/** When each asset left the build. The web server does not serve files with a dot. */
const LIST = '.old-assets.json';

/** Maps a compressed copy to its asset. */
const toAsset = (name: string): string => name.replace(/\.(?:br|gz)$/, '');

/**
 * Empties the build's folder except for the assets: their names change with their content, but an old page or service
 * worker must not stay.
 */
export const emptyButAssets = (directory: string): void => {
  if (!existsSync(directory)) return;
  for (const name of readdirSync(directory)) {
    if (name !== ASSETS && name !== LIST) rmSync(join(directory, name), { recursive: true });
  }
};

/**
 * Deletes assets that left the build a week ago, and notes which leave it now. @param current - names of the build's
 * assets
 */
export const retireAssets = (directory: string, current: ReadonlySet<string>, nowMs = Date.now()): void => {
  const list = join(directory, LIST);
  const before: Record<string, number> = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : {};
  const retired: Record<string, number> = {};
  for (const name of readdirSync(join(directory, ASSETS))) {
    const asset = toAsset(name);
    if (current.has(asset)) continue;
    const retiredAt = before[asset] ?? nowMs;
    if (nowMs - retiredAt < KEPT_MS) retired[asset] = retiredAt;
    else rmSync(join(directory, ASSETS, name));
  }
  writeFileSync(list, JSON.stringify(retired));
};

/** Keeps the assets of earlier builds for a week, so that tabs opened before a deploy still find their parts. */
export const keepOldAssets = (): Plugin => ({
  name: 'mailsweep-keep-old-assets',
  apply: 'build',
  configResolved: ({ build }) => emptyButAssets(build.outDir),
  writeBundle: ({ dir = '' }, bundle) =>
    retireAssets(
      dir,
      new Set(
        Object.keys(bundle)
          .filter((file) => file.startsWith(`${ASSETS}/`))
          .map((file) => basename(file)),
      ),
    ),
});
