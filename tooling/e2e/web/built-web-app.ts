import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const WEB_DIR = fileURLToPath(new URL('../../../apps/web/', import.meta.url));

const isBuilt = (): boolean => {
  const page = join(WEB_DIR, 'dist/index.html');
  const script = existsSync(page) && /assets\/index-[^"]+\.js/.exec(readFileSync(page, 'utf8'))?.[0];
  // A build without compressed copies is not what users get.
  if (!script || !existsSync(join(WEB_DIR, 'dist', `${script}.gz`))) return false;
  const builtAtMs = statSync(page).mtimeMs;
  const sources = globSync(
    ['src/**/*', 'scripts/*', 'public/*', '*.html', 'package.json', 'vite.config.ts'],
    {
      cwd: WEB_DIR,
    },
  );
  return sources.every((source) => statSync(join(WEB_DIR, source)).mtimeMs <= builtAtMs);
};

/** Builds the web app as `npm start` serves it, unless the build is newer than every source. */
export const ensureWebAppIsBuilt = (): void => {
  if (isBuilt()) return;
  for (const script of ['node_modules/vite/bin/vite.js', 'scripts/compress-assets.ts']) {
    const isVite = script.endsWith('vite.js');
    const { status, stderr } = spawnSync(process.execPath, [script, ...(isVite ? ['build'] : [])], {
      cwd: WEB_DIR,
      // A test runner says `test` here, and the bundler would take React's development build.
      env: { ...process.env, NODE_ENV: 'production' },
    });
    if (status !== 0) throw new Error(`the web app could not be built:\n${stderr}`);
  }
};
