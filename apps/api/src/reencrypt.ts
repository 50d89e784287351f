import { openDatabase } from '@mailsweep/database';
import { createTokenCipher, deriveMessageKeys } from '@mailsweep/mail/provider-connection';
import { createLogger, loadConfig } from '@mailsweep/service-kit';
import { runReencryptCommand } from './commands/reencrypt-command.ts';
import { readEncryptionConfig } from './config.ts';

const config = loadConfig(readEncryptionConfig);
const keys = { current: config.TOKEN_ENCRYPTION_KEY, previous: config.TOKEN_ENCRYPTION_KEY_PREVIOUS };
const logger = createLogger({ service: 'reencrypt', level: config.LOG_LEVEL });
const database = openDatabase({ databaseUrl: config.databaseUrl });
try {
  process.exitCode = await runReencryptCommand({
    database,
    tokenCipher: createTokenCipher(keys),
    messageKeys: deriveMessageKeys(keys),
    logger,
    say: (line) => void process.stdout.write(`${line}\n`),
  });
} catch (error) {
  logger.error({ err: error }, 'the command stopped halfway; run it again');
  process.exitCode = 1;
} finally {
  await database.$disconnect();
}
