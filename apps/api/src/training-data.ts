import { openDatabase } from '@mailsweep/database';
import { createLogger, loadConfig } from '@mailsweep/service-kit';
import { runTrainingDataCommand } from './commands/training-data-command.ts';
import { readEncryptionConfig } from './config.ts';

const config = loadConfig(readEncryptionConfig, { takesWords: true });
const keys = { current: config.TOKEN_ENCRYPTION_KEY, previous: config.TOKEN_ENCRYPTION_KEY_PREVIOUS };
// The training data may go to stdout, so nothing else does.
const logger = createLogger({
  service: 'training-data',
  level: config.LOG_LEVEL,
  destination: process.stderr,
});
const database = openDatabase({ databaseUrl: config.databaseUrl, poolSize: 2 });
try {
  process.exitCode = await runTrainingDataCommand(process.argv.slice(2), {
    database,
    keys,
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
