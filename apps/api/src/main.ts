import { setTimeout as sleep } from 'node:timers/promises';
import {
  createLogger,
  type HttpServer,
  listen,
  loadConfig,
  runService,
  startTracing,
  warnOfVariables,
} from '@mailsweep/service-kit';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';
import { createDependencies } from './dependencies.ts';
import { createOperationsApp } from './operations/operations-app.ts';

/** How long it serves on after SIGTERM while balancers and clients go elsewhere. */
const DRAIN_MS = 3_000;

const config = loadConfig(readConfig);
const logger = createLogger({ service: 'api', level: config.LOG_LEVEL });
warnOfVariables(logger);

await runService({
  logger,
  async start(lifecycle) {
    await startTracing({ service: 'api', logger, lifecycle });
    const dependencies = await createDependencies(config, logger, lifecycle);
    const operations = createOperationsApp(dependencies);
    if (config.OPERATIONS_PORT !== undefined) {
      const { OPERATIONS_PORT: port, INTERNAL_HOST: host } = config;
      const server = await listen({ app: operations.app, port, host });
      lifecycle.onClose('operators’ server', () => server.close());
      logger.info({ port, host }, 'listening for operators');
    }
    const app = createApp(config, dependencies);
    const ports = config.PORT_HTTP === undefined ? [config.PORT] : [config.PORT, config.PORT_HTTP];
    const servers: HttpServer[] = [];
    for (const port of ports) {
      const server = await listen({
        app,
        port,
        // A proxy holds the connections of all clients.
        ...(config.TRUST_PROXY_HOPS > 0 && { maxConnectionsPerAddress: 0 }),
      });
      servers.push(server);
      lifecycle.onClose(`http server on ${port}`, () => server.close());
      logger.info({ port }, 'listening');
    }
    lifecycle.onClose('readiness', async () => {
      operations.stopBeingReady();
      for (const server of servers) server.drain();
      // Without that port nobody can see that this replica is not ready.
      if (config.OPERATIONS_PORT !== undefined) await sleep(DRAIN_MS);
    });
  },
});
