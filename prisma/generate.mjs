// `prisma generate` would download an engine that generating doesn't need; naming any executable keeps it
// from doing so (docs/decisions/002).
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

const prisma = createRequire(import.meta.url).resolve('prisma/build/index.js');
const { status } = spawnSync(process.execPath, [prisma, 'generate', '--no-hints'], {
  stdio: 'inherit',
  // biome-ignore lint/style/noProcessEnv: handed on to the child as it is.
  env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath },
});
process.exitCode = status ?? 1;
