export { createGoogleSandbox, type GoogleSandboxOptions } from '../google-sandbox/create-google-sandbox.ts';
export type { Fault } from '../google-sandbox/faults.ts';
export type { MailboxSeed, SeedMessage } from '../google-sandbox/mailbox-seed.ts';
export type { LoggedRequest } from '../google-sandbox/request-log.ts';
export { createTokenMint } from '../google-sandbox/tokens.ts';
export { listenOnLoopback } from '../loopback-server.ts';
export { setup as startTestServers } from './global-setup.ts';
export { type RedisServer, startRedisServer } from './redis-server.ts';
