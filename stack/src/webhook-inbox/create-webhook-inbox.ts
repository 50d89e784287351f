import express, { type Express, type Request } from 'express';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { z } from 'zod';
import { createDeliveries, type Delivery } from './deliveries.ts';
import { renderInboxPage } from './inbox-page.ts';

const MAX_BODY = '2mb';

/** How the inbox responds from now on. */
const BehaviourSchema = z.strictObject({
  /** An HTTP status to respond with, or hang for no response at all. */
  status: z.union([z.number().int().min(200).max(599), z.literal('hang')]).default(204),
  /** How many deliveries; all further ones when left out. */
  times: z.number().int().min(1).optional(),
  retryAfterSeconds: z.number().int().min(0).optional(),
});
type Behaviour = z.infer<typeof BehaviourSchema>;

const ACCEPT: Behaviour = { status: 204 };

/**
 * A stand-in for the workflow service: takes webhooks (Standard Webhooks), checks their signatures, and shows them.
 *
 * @param options.signingSecret - `whsec_…`; undefined leaves signatures unchecked
 */
export const createWebhookInbox = (options: { signingSecret: string | undefined }): Express => {
  const verifier = options.signingSecret === undefined ? undefined : new Webhook(options.signingSecret);
  const deliveries = createDeliveries();
  let behaviour: Behaviour = ACCEPT;

  const takeBehaviour = (): Behaviour => {
    const { times, ...rest } = behaviour;
    if (times === 1) behaviour = ACCEPT;
    else if (times !== undefined) behaviour = { ...rest, times: times - 1 };
    return rest;
  };

  const app = express();
  app.disable('x-powered-by');
  app.get('/', (_request, response) => {
    response.set('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'");
    response.send(renderInboxPage(deliveries.list()));
  });
  app.get('/health', (_request, response) => {
    response.json({ status: 'ok' });
  });
  app.get('/deliveries', (_request, response) => {
    response.json(deliveries.list());
  });
  app.delete('/deliveries', (_request, response) => {
    deliveries.clear();
    response.status(204).end();
  });
  app.post('/behaviour', express.json(), (request, response) => {
    const parsed = BehaviourSchema.safeParse(request.body);
    if (!parsed.success) {
      response.status(400).json({ error: z.prettifyError(parsed.error) });
      return;
    }
    behaviour = parsed.data;
    response.json(behaviour);
  });
  app.post('/', express.text({ type: () => true, limit: MAX_BODY }), (request, response) => {
    const text = typeof request.body === 'string' ? request.body : '';
    const signature = checkSignature(verifier, request, text);
    const { status, retryAfterSeconds } = signature === 'forged' ? { status: 401 as const } : takeBehaviour();
    deliveries.add({
      receivedAt: new Date().toISOString(),
      id: request.get('webhook-id') ?? null,
      signature,
      status: status === 'hang' ? null : status,
      body: parseJson(text),
    });
    if (status === 'hang') return;
    if (retryAfterSeconds !== undefined) response.set('retry-after', String(retryAfterSeconds));
    response.status(status).end();
  });
  return app;
};

const checkSignature = (
  verifier: Webhook | undefined,
  request: Request,
  text: string,
): Delivery['signature'] => {
  if (verifier === undefined) return 'unchecked';
  const header = (name: string): string => request.get(name) ?? '';
  try {
    verifier.verify(
      text,
      {
        'webhook-id': header('webhook-id'),
        'webhook-timestamp': header('webhook-timestamp'),
        'webhook-signature': header('webhook-signature'),
      },
      { jsonParse: false },
    );
    return 'verified';
  } catch (error) {
    if (error instanceof WebhookVerificationError) return 'forged';
    throw error;
  }
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // Shown as it came.
    return text;
  }
};
