import { openDatabase } from '@mailsweep/database';
import { openQueueBackend } from '@mailsweep/event-bus';
import { createLogger, loadConfig } from '@mailsweep/service-kit';
import { runWebhookCommand } from './commands/webhook-command.ts';
import { readConfig } from './config.ts';

const config = loadConfig(readConfig, { takesWords: true });
const logger = createLogger({ service: 'webhooks', level: config.logLevel });
const database = openDatabase({ databaseUrl: config.databaseUrl, poolSize: 1 });
const queue = await openQueueBackend({ ...config, logger });
try {
  process.exitCode = await runWebhookCommand(process.argv.slice(2), {
    database,
    queue,
    say: (line) => void process.stdout.write(`${line}\n`),
  });
} finally {
  await queue.close();
  await database.$disconnect();
}
