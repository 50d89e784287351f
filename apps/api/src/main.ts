import { ConfigError, createLogger, listen, runService } from '@mailsweep/service-kit';
import { createApp } from './app.ts';
import { type Config, readConfig } from './config.ts';
import { createDependencies } from './dependencies.ts';

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
const logger = createLogger({ service: 'api', level: config.LOG_LEVEL });

await runService({
  logger,
  async start(lifecycle) {
    const app = createApp(config, await createDependencies(config, logger, lifecycle));
    const ports = config.PORT_HTTP === undefined ? [config.PORT] : [config.PORT, config.PORT_HTTP];
    for (const port of ports) {
      const server = await listen({ app, port });
      lifecycle.onClose(`http server on ${port}`, () => server.close());
      logger.info({ port }, 'listening');
    }
  },
});
