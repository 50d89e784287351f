import { createLogger, listen, loadConfig, runService } from '@mailsweep/service-kit';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';
import { createDependencies } from './dependencies.ts';

const config = loadConfig(readConfig);
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
