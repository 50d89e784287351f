import { createHmac, randomBytes } from 'node:crypto';
import { ListSuggestionsResponseSchema } from '@mailsweep/contracts';
import got from 'got';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { signIn } from '../src/api-session.ts';
import { startLocalStack } from '../src/local-stack.ts';
import { type MessagingService, startMessagingService } from './messaging-service.ts';
import { installNodeRed, startNodeRed } from './node-red.ts';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const APP = 'https://mail.example.com';
const EVENT = {
  type: 'domain.suggestions.generated',
  timestamp: new Date().toISOString(),
  data: { userId: 'ada', summary: { totalSuggestions: 12, actionCounts: { archive: 9, delete: 3 } } },
};

describe('the Node-RED template', () => {
  test('sends a message with a link when there are suggestions, also where the messaging service fails at first', async () => {
    const nodeRed = await startFlow({ NTFY_URL: `${messaging.url}/mailbox` });
    const stack = await startLocalStack({
      WORKFLOW_WEBHOOK_URL: nodeRed.url,
      WEBHOOK_SIGNING_SECRET: SECRET,
    });
    onTestFinished(async () => void (await stack.stop()));
    messaging.failNext(1, 503);
    const { session } = await signIn(stack.api, 'ada@example.com');
    const { emails } = ListSuggestionsResponseSchema.parse(
      await session.get('api/v1/suggestions?pageSize=100'),
    );
    const total = emails.flatMap((email) => email.suggestions).length;

    await expect.poll(() => messaging.messages.length, { timeout: 60_000 }).toBe(1);
    expect(messaging.messages).toMatchObject([
      {
        path: '/mailbox',
        headers: { title: `${total} new suggestions for your mailbox`, click: `${APP}/suggestions` },
        body: expect.stringMatching(/^\d+ to .*\. Nothing changes before you accept\.$/),
      },
    ]);
  });

  test('refuses calls that are unsigned, forged, changed or old, and sends a repeated one once', async () => {
    const { url } = await startFlow({ NTFY_URL: `${messaging.url}/mailbox` });
    const forged = sign({ secret: `whsec_${randomBytes(32).toString('base64')}` });
    const old = sign({ sentAt: Math.floor(Date.now() / 1_000) - 3_600 });
    const genuine = sign({});
    const changed = { ...genuine, body: genuine.body.replace('12', '13') };
    const refused = [{ ...genuine, headers: {} }, forged, old, changed];
    for (const call of refused) expect(await post(url, call)).toBe(401);
    expect(messaging.messages).toEqual([]);

    expect(await post(url, genuine)).toBe(204);
    expect(await post(url, genuine)).toBe(204);
    expect(messaging.messages).toHaveLength(1);
  });

  test.each([
    [
      'slack',
      { SLACK_WEBHOOK_URL: '/services/T0/B0/x' },
      '/services/T0/B0/x',
      {
        text: `*12 new suggestions for your mailbox*\n9 to archive, 3 to move to the trash. Nothing changes before you accept.\n<${APP}/suggestions|Review them>`,
      },
    ],
    [
      'telegram',
      { TELEGRAM_API_URL: '', TELEGRAM_BOT_TOKEN: '1:a', TELEGRAM_CHAT_ID: '7' },
      '/bot1:a/sendMessage',
      {
        chat_id: '7',
        text: `12 new suggestions for your mailbox\n9 to archive, 3 to move to the trash. Nothing changes before you accept.\n${APP}/suggestions`,
      },
    ],
  ])('writes to %s as it expects', async (channel, settings, path, body) => {
    const addresses = Object.entries(settings).map(([name, value]) => [
      name,
      name.endsWith('_URL') ? messaging.url + value : value,
    ]);
    const { url } = await startFlow({ MAILSWEEP_CHANNEL: channel, ...Object.fromEntries(addresses) });
    expect(await post(url, sign({}))).toBe(204);
    expect(messaging.messages.map((message) => [message.path, JSON.parse(message.body)])).toEqual([
      [path, body],
    ]);
  });

  test('asks for another delivery when no message could be sent', async () => {
    const { url } = await startFlow({ NTFY_URL: 'http://127.0.0.1:1/' });
    expect(await post(url, sign({}))).toBe(502);
  });
});

const startFlow = async (settings: Record<string, string>) => {
  const nodeRed = await startNodeRed({
    MAILSWEEP_WEBHOOK_SECRET: SECRET,
    MAILSWEEP_APP_URL: APP,
    ...settings,
  });
  onTestFinished(() => nodeRed.close());
  messaging.messages.length = 0;
  return nodeRed;
};

interface Call {
  headers: Record<string, string>;
  body: string;
}

/** A call as the worker makes it. */
const sign = ({ secret = SECRET, sentAt = Math.floor(Date.now() / 1_000) }): Call => {
  const id = `event-${randomBytes(8).toString('hex')}`;
  const body = JSON.stringify(EVENT);
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${sentAt}.${body}`).digest('base64');
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': `${sentAt}`,
    'webhook-signature': `v1,${signature}`,
  };
  return { headers, body };
};

const post = async (url: string, { headers, body }: Call): Promise<number> => {
  const all = { 'content-type': 'application/json', ...headers };
  const options = { headers: all, body, throwHttpErrors: false, retry: { limit: 0 } };
  return (await got.post(url, options)).statusCode;
};

let messaging: MessagingService;
beforeAll(async () => {
  installNodeRed();
  messaging = await startMessagingService();
});
afterAll(() => messaging?.close());
