import { openQueueBackend } from '@mailsweep/event-bus';
import { createLogger } from '@mailsweep/service-kit';
import { readConfig } from './config.ts';
import { runDeadLetterCommand } from './dead-letter-command.ts';

const config = readConfig();
const logger = createLogger({ service: 'dead-letters', level: config.logLevel });
const queue = await openQueueBackend({ ...config, logger });
try {
  process.exitCode = await runDeadLetterCommand(process.argv.slice(2), {
    queue,
    say: (line) => void process.stdout.write(`${line}\n`),
  });
} finally {
  await queue.close();
}
