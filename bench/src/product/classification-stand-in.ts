import type { RequestListener, ServerResponse } from 'node:http';
import { listenOnLoopback } from '@mailsweep/service-kit';

/** What the classification service does with a request. */
export type Behaviour = 'responds' | 'refuses' | 'hangs' | 'stalls' | 'drips';

const DRIP_MS = 100;

const drip = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), DRIP_MS);
  response.on('close', () => clearInterval(timer));
};

/** A classification service that responds at once, or fails as configured. */
export const startClassificationStandIn = async () => {
  let behaviour: Behaviour = 'responds';
  const listener: RequestListener = async (request, response) => {
    response.on('error', () => response.destroy());
    if (behaviour === 'hangs') return;
    if (behaviour === 'stalls') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.flushHeaders();
      return;
    }
    if (behaviour === 'drips') return drip(response);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const items = JSON.parse(Buffer.concat(chunks).toString()) as { id: string }[];
    const suggestions = [{ action: 'archive', classification: 'bulk', confidence_score: 0.9 }];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(items.map(({ id }) => ({ id, suggestions }))));
  };
  let server: Awaited<ReturnType<typeof listenOnLoopback>> | undefined = await listenOnLoopback(listener, 0);
  const { url, port } = server;
  return {
    url,
    /** Asks it past the product. */
    async ask(emails: { id: string }[]): Promise<unknown> {
      const reply = await fetch(`${url}/v1/suggest`, { method: 'POST', body: JSON.stringify(emails) });
      return reply.json();
    },
    async behave(next: Behaviour): Promise<void> {
      behaviour = next;
      if (next === 'refuses') {
        await server?.close();
        server = undefined;
      } else {
        server ??= await listenOnLoopback(listener, port);
      }
    },
    close: async () => server?.close(),
  };
};
