import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '../logger.ts';
import { runService } from '../service.ts';

/** What the process under test does, by its first argument. */
const [, , scenario = ''] = process.argv;
const logger = createLogger({ service: 'fixture', level: 'info' });

await runService({
  logger,
  shutdownTimeoutMs: 500,
  async start(lifecycle) {
    lifecycle.onClose('first', () => logger.info('closed first'));
    lifecycle.onClose('second', async () => {
      await sleep(20);
      if (scenario === 'close fails') throw new Error('second does not close');
      if (scenario === 'close hangs') await sleep(60_000);
      logger.info('closed second');
    });
    if (scenario === 'start fails') throw new Error('no database');
    lifecycle.onClose('third', () => logger.info('closed third'));
    setInterval(() => undefined, 60_000);
    if (scenario === 'throws later') setTimeout(() => JSON.parse('{'), 20);
    if (scenario === 'rejects later') setTimeout(() => void Promise.reject(new Error('lost')), 20);
  },
});
