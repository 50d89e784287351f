export { startEmbeddedPostgres } from '../database/embedded-postgres.ts';
export { removePostgresData } from '../database/postgres-place.ts';
export { setup as startTestServers } from './global-setup.ts';
export {
  chromiumPath,
  findInstalledPostgres,
  findPython,
  firefoxPath,
  headlessShellPath,
} from './programs.ts';
export { type RedisServer, startRedisServer } from './redis-server.ts';
