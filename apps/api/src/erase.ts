import { createMaintenance } from '@mailsweep/core';
import { openDatabase } from '@mailsweep/database';
import { openQueueBackend } from '@mailsweep/event-bus';
import { createProviders, createRevokeGrant, createTokenCipher } from '@mailsweep/mail/provider-connection';
import { createLogger, loadConfig } from '@mailsweep/service-kit';
import { runEraseCommand } from './commands/erase-command.ts';
import { readErasureConfig } from './config.ts';

const config = loadConfig(readErasureConfig, { takesWords: true });
const logger = createLogger({ service: 'erase', level: config.LOG_LEVEL });
const { databaseUrl, REDIS_URL: redisUrl } = config;
const database = openDatabase({ databaseUrl, poolSize: 2 });
const queue = await openQueueBackend({ redisUrl, databaseUrl, logger });
const revokeGrant = createRevokeGrant({
  database,
  tokenCipher: createTokenCipher({
    current: config.TOKEN_ENCRYPTION_KEY,
    previous: config.TOKEN_ENCRYPTION_KEY_PREVIOUS,
  }),
  providers: createProviders(config, config.OAUTH_REDIRECT_URI),
});
try {
  process.exitCode = await runEraseCommand(process.argv.slice(2), {
    database,
    eraseUser: (userId) => createMaintenance(database).eraseUser({ queue, revokeGrant, logger }, userId),
    logger,
    say: (line) => void process.stdout.write(`${line}\n`),
  });
} finally {
  await queue.close();
  await database.$disconnect();
}
