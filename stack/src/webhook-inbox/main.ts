import { createLogger, listenOnLoopback, loadConfig, runService } from '@mailsweep/service-kit';
import { readConfig } from './config.ts';
import { createWebhookInbox } from './create-webhook-inbox.ts';

const config = loadConfig(readConfig);
const logger = createLogger({ service: 'webhook-inbox', level: config.LOG_LEVEL });

await runService({
  logger,
  start: async ({ onClose }) => {
    const inbox = createWebhookInbox({ signingSecret: config.WEBHOOK_SIGNING_SECRET });
    const server = await listenOnLoopback(inbox, config.PORT);
    onClose('http server', server.close);
  },
});
