import { ConfigError, createLogger, listen, runService } from '@mailsweep/service-kit';
import { createApp } from './app.ts';
import { type Config, readConfig } from './config.ts';

const loadConfig = (): Config => {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
};

const config = loadConfig();
const logger = createLogger({ service: 'ml', level: config.LOG_LEVEL });

await runService({
  logger,
  async start(lifecycle) {
    const app = createApp({ logger, tokenSecret: config.INTERNAL_JWT_SECRET, now: () => new Date() });
    const server = await listen({ app, port: config.PORT });
    lifecycle.onClose('http server', () => server.close());
    logger.info({ port: server.port }, 'listening');
  },
});
