import { openDatabase } from '@mailsweep/database';
import { openQueueBackend } from '@mailsweep/event-bus';
import { createLogger, loadConfig } from '@mailsweep/service-kit';
import { runDeadLetterCommand } from './commands/dead-letter-command.ts';
import { readConfig } from './config.ts';

const config = loadConfig(readConfig, { takesWords: true });
const logger = createLogger({ service: 'dead-letters', level: config.logLevel });
const queue = await openQueueBackend({ ...config, logger });
const database = openDatabase({ databaseUrl: config.databaseUrl });
try {
  process.exitCode = await runDeadLetterCommand(process.argv.slice(2), {
    queue,
    database,
    say: (line) => void process.stdout.write(`${line}\n`),
  });
} finally {
  await queue.close();
  await database.$disconnect();
}
