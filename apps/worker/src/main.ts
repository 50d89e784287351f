import { createLogger, loadConfig, runService, startTracing, warnOfVariables } from '@mailsweep/service-kit';
import { readConfig } from './config.ts';
import { startWorkerService } from './dependencies.ts';

const config = loadConfig(readConfig);
const logger = createLogger({ service: 'worker', level: config.logLevel });
warnOfVariables(logger);

await runService({
  logger,
  async start(lifecycle) {
    await startTracing({ service: 'worker', logger, lifecycle });
    await startWorkerService(config, { logger, lifecycle });
  },
});
