import { createSecretKey } from 'node:crypto';
import { exportTrainingData } from '@mailsweep/core';
import { openDatabase } from '@mailsweep/database';
import { deriveKey, deriveMessageKeys } from '@mailsweep/provider-connection';
import { createLogger, loadConfig } from '@mailsweep/service-kit';
import { runTrainingDataCommand } from './commands/training-data-command.ts';
import { readEncryptionConfig } from './config.ts';

const config = loadConfig(readEncryptionConfig);
const keys = { current: config.TOKEN_ENCRYPTION_KEY, previous: config.TOKEN_ENCRYPTION_KEY_PREVIOUS };
// The training data may go to stdout, so nothing else does.
const logger = createLogger({
  service: 'training-data',
  level: config.LOG_LEVEL,
  destination: process.stderr,
});
const database = openDatabase({ databaseUrl: config.databaseUrl, poolSize: 2 });
const { cipher } = deriveMessageKeys(keys);
const key = createSecretKey(deriveKey(keys.current, 'training-data'));
try {
  process.exitCode = await runTrainingDataCommand(process.argv.slice(2), {
    exportDecisions: (counts) => exportTrainingData({ database, cipher, key, counts }),
    logger,
    stdout: process.stdout,
    say: (line) => void process.stderr.write(`${line}\n`),
  });
} catch (error) {
  logger.error({ err: error }, 'the export is not complete');
  process.exitCode = 1;
} finally {
  await database.$disconnect();
}
