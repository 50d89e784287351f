import { createGoogleSandbox, type GoogleSandboxOptions } from '@mailsweep/google-sandbox';
import { listenOnLoopback } from '@mailsweep/service-kit';
import { generateMailbox, type MailboxPlan } from './generate-mailbox.ts';

/** What the process is started with, as the JSON text of its one argument. */
export interface GoogleSandboxOrder {
  port: number;
  redirectUri: string;
  clientId: string;
  clientSecret: string;
  /** Base64 of 32 bytes. */
  tokenKey: string;
  mailboxes: MailboxPlan[];
  limits: Pick<GoogleSandboxOptions, 'quotaUnitsPerMinute' | 'concurrentCalls' | 'latencyMs'>;
}

const order = JSON.parse(process.argv[2] ?? '') as GoogleSandboxOrder;
const sandbox = createGoogleSandbox({
  publicUrl: `http://127.0.0.1:${order.port}`,
  clients: [
    {
      clientId: order.clientId,
      clientSecret: order.clientSecret,
      name: 'Mailsweep',
      redirectUris: [order.redirectUri],
    },
  ],
  seedMailboxes: (nowMs) => order.mailboxes.map((plan) => generateMailbox(plan, nowMs)),
  tokenKey: Buffer.from(order.tokenKey, 'base64'),
  accessTokenTtlSeconds: 3_600,
  ...order.limits,
});
await listenOnLoopback(sandbox.app, order.port);
