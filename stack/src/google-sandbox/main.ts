import { createLogger, loadConfig, runService } from '@mailsweep/service-kit';
import { listenOnLoopback, loopbackUrl } from '../loopback-server.ts';
import { readConfig } from './config.ts';
import { createGoogleSandbox } from './create-google-sandbox.ts';
import { seedMailboxes } from './seed/seed-mailboxes.ts';

const config = loadConfig(readConfig);
const logger = createLogger({ service: 'google-sandbox', level: config.LOG_LEVEL });

await runService({
  logger,
  start: async ({ onClose }) => {
    const sandbox = await createGoogleSandbox({
      publicUrl: loopbackUrl(config.PORT),
      clients: config.SANDBOX_OAUTH_CLIENTS,
      seedMailboxes,
      tokenKey: config.SANDBOX_TOKEN_KEY,
      changesFile: config.SANDBOX_CHANGES_FILE,
      accessTokenTtlSeconds: config.SANDBOX_ACCESS_TOKEN_TTL_SECONDS,
      quotaUnitsPerMinute: config.SANDBOX_QUOTA_UNITS_PER_MINUTE,
      concurrentCalls: config.SANDBOX_CONCURRENT_CALLS,
      latencyMs: config.SANDBOX_LATENCY_MS,
      behaviour: config.SANDBOX_BEHAVIOUR,
    });
    onClose('emulator', sandbox.close);
    const server = await listenOnLoopback(sandbox.app, config.PORT);
    onClose('http server', server.close);
  },
});
