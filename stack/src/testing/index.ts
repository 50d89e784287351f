export { startEmbeddedPostgres } from '../embedded-postgres.ts';
export { removePostgresData } from '../postgres-place.ts';
export { setup as startTestServers } from './global-setup.ts';
export { type RedisServer, startRedisServer } from './redis-server.ts';
