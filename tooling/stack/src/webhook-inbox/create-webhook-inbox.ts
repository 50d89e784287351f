import { parseJson } from '@mailsweep/service-kit/http-client';
import express, { type Express, type Request } from 'express';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { z } from 'zod';

/** Deliveries stored; the oldest are deleted first. */
const MAX_DELIVERIES = 200;

export interface Delivery {
  receivedAt: string;
  /** Header `webhook-id`: the same on every attempt to deliver one event. */
  id: string | null;
  /** verified or forged by the signature; unchecked where no secret is known. */
  signature: 'verified' | 'forged' | 'unchecked';
  /** Status of the response; null for a call without one. */
  status: number | null;
  /** The body, parsed; its text where it is no JSON. */
  body: unknown;
}

const REFRESH_SECONDS = 5;

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const STYLE = `
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  article { border: 1px solid #8884; border-radius: 8px; padding: 0.75rem 1rem; margin: 1rem 0; }
  header { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; }
  pre { overflow-x: auto; margin: 0.5rem 0 0; }
  .forged { color: #c62828; }
`;

const toArticle = ({ receivedAt, id, signature, status, body }: Delivery): string => `
  <article>
    <header>
      <time datetime="${escapeHtml(receivedAt)}">${escapeHtml(receivedAt)}</time>
      <span>${escapeHtml(id ?? 'without an id')}</span>
      <span class="${signature}">signature ${signature}</span>
      <span>${status === null ? 'no response' : `status ${status}`}</span>
    </header>
    <pre>${escapeHtml(typeof body === 'string' ? body : JSON.stringify(body, null, 2))}</pre>
  </article>`;

/** The page that lists what a workflow service would have got, newest first; it refreshes itself. */
const renderInboxPage = (deliveries: readonly Delivery[]): string => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta http-equiv="refresh" content="${REFRESH_SECONDS}">
  <title>Webhook inbox</title>
  <style>${STYLE}</style>
</head>
<body>
  <h1>Webhook inbox</h1>
  <p>What a workflow service would get from Mailsweep. The last ${deliveries.length} deliveries, newest first.</p>
  ${deliveries.length === 0 ? '<p>Nothing yet: ask for suggestions, and an event arrives here.</p>' : ''}
  ${deliveries.map(toArticle).join('')}
</body>
</html>
`;

const MAX_BODY = '2mb';

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
  /** Newest first. */
  let deliveries: Delivery[] = [];
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
    response.send(renderInboxPage(deliveries));
  });
  app.get('/health', (_request, response) => {
    response.json({ status: 'ok' });
  });
  app.get('/deliveries', (_request, response) => {
    response.json(deliveries);
  });
  app.delete('/deliveries', (_request, response) => {
    deliveries = [];
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
    const parsed = parseJson(text);
    const delivery: Delivery = {
      receivedAt: new Date().toISOString(),
      id: request.get('webhook-id') ?? null,
      signature,
      status: status === 'hang' ? null : status,
      body: parsed === undefined ? text : parsed,
    };
    deliveries = [delivery, ...deliveries].slice(0, MAX_DELIVERIES);
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
