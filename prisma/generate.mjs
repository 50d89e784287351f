// Runs `prisma generate` without what generating does not need (docs/decisions/002).
import { createRequire, registerHooks } from 'node:module';
import process from 'node:process';

// Prisma would download an engine; naming any executable keeps it from doing so.
// biome-ignore lint/style/noProcessEnv: Prisma reads it.
process.env.PRISMA_SCHEMA_ENGINE_BINARY = process.execPath;
// Every command loads the studio and the databases for development, which .pnpmfile.cjs leaves out.
const LEFT_OUT = /^@prisma\/(studio-core|dev)\//;
registerHooks({
  resolve: (name, context, next) => next(LEFT_OUT.test(name) ? 'node:util' : name, context),
});
process.argv.splice(2, Infinity, 'generate', '--no-hints');
createRequire(import.meta.url)('prisma/build/index.js');
