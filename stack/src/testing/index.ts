export { startEmbeddedPostgres } from '../database/embedded-postgres.ts';
export { removePostgresData } from '../database/postgres-place.ts';
export { chromiumPath, headlessShellPath } from './chromium.ts';
export { setup as startTestServers } from './global-setup.ts';
export { findInstalledPostgres } from './installed-postgres.ts';
export { findPython } from './python.ts';
export { type RedisServer, startRedisServer } from './redis-server.ts';
