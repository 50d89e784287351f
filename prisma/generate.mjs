// Runs `prisma generate` without what generating does not need (docs/decisions/002).
import { createRequire, registerHooks } from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

// Prisma would download an engine; naming any executable keeps it from doing so.
// biome-ignore lint/style/noProcessEnv: Prisma reads it.
process.env.PRISMA_SCHEMA_ENGINE_BINARY = process.execPath;
// Every command loads the studio, the databases for development, and what reads a configuration file, which
// .pnpmfile.cjs leaves out.
const LEFT_OUT = /^@prisma\/(studio-core|dev)\//;
const NO_CONFIG = fileURLToPath(new URL('no-config.mjs', import.meta.url));
registerHooks({
  resolve: (name, context, next) => {
    if (name === '@prisma/config') return next(NO_CONFIG, context);
    return next(LEFT_OUT.test(name) ? 'node:util' : name, context);
  },
});
process.argv.splice(2, Infinity, 'generate', '--no-hints', '--schema', 'schema.prisma');
createRequire(import.meta.url)('prisma/build/index.js');
