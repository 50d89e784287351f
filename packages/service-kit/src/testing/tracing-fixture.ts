import { registerHooks } from 'node:module';
import { createLogger } from '../logger.ts';
import { runService } from '../service.ts';
import { startTracing } from '../start-tracing.ts';
import { inSpan } from '../tracing/spans.ts';

/** How many spans the process under test makes, by its first argument. */
const count = Number(process.argv[2]);
const loaded: string[] = [];
registerHooks({
  load(url, context, next) {
    loaded.push(url);
    return next(url, context);
  },
});
const logger = createLogger({ service: 'fixture', level: 'info' });

await runService({
  logger,
  shutdownTimeoutMs: 3_000,
  async start(lifecycle) {
    await startTracing({ service: 'fixture', logger, lifecycle });
    for (let made = 1; made < count; made += 1) await inSpan('work', {}, async () => undefined);
    await inSpan('work', {}, async () => logger.info('working'));
    logger.info({ hasSdk: loaded.some((url) => url.includes('sdk-trace')) }, 'worked');
    setInterval(() => undefined, 60_000);
  },
});
