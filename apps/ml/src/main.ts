import {
  createLogger,
  listen,
  loadConfig,
  runService,
  startTracing,
  warnOfVariables,
} from '@mailsweep/service-kit';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';

const config = loadConfig(readConfig);
const logger = createLogger({ service: 'ml', level: config.LOG_LEVEL });
warnOfVariables(logger);

await runService({
  logger,
  async start(lifecycle) {
    await startTracing({ service: 'ml', logger, lifecycle });
    const app = createApp({ logger, tokenSecret: config.INTERNAL_JWT_SECRET, now: () => new Date() });
    // All its connections come from a few API and worker processes.
    const server = await listen({
      app,
      port: config.PORT,
      host: config.INTERNAL_HOST,
      maxConnectionsPerAddress: 0,
    });
    lifecycle.onClose('http server', () => server.close());
    logger.info({ port: server.port }, 'listening');
  },
});
