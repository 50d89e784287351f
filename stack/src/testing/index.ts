export { startEmbeddedPostgres } from '../database/embedded-postgres.ts';
export { removePostgresData } from '../database/postgres-place.ts';
export { chromiumPath, firefoxPath, headlessShellPath } from './browsers.ts';
export { setup as startTestServers } from './global-setup.ts';
export { findInstalledPostgres } from './installed-postgres.ts';
export { findPython } from './python.ts';
export { type RedisServer, startRedisServer } from './redis-server.ts';
