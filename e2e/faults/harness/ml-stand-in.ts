import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { MlRequestItem, Suggestion } from '@mailsweep/contracts';
import { listenOnLoopback } from '@mailsweep/service-kit';

/** How the stand-in responds to its n-th call, counted from 1. */
export type MlBehaviour = (response: ServerResponse, items: MlRequestItem[], callNumber: number) => void;

const ARCHIVE: Suggestion = { action: 'archive', classification: 'bulk', confidence_score: 0.9 };

/** Responds as a classification service should: the same suggestion for every email. */
export const suggestArchive: MlBehaviour = (response, items) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(items.map(({ id }) => ({ id, suggestions: [ARCHIVE] }))));
};

/** A classification service that does whatever a scenario wants of it. */
export const startMlStandIn = async () => {
  const calls: { headers: IncomingHttpHeaders; items: MlRequestItem[] }[] = [];
  let behaviour = suggestArchive;
  const server = await listenOnLoopback(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const items = JSON.parse(Buffer.concat(chunks).toString()) as MlRequestItem[];
    calls.push({ headers: request.headers, items });
    response.on('error', () => response.destroy());
    behaviour(response, items, calls.length);
  }, 0);
  return {
    url: server.url,
    /** The calls since the last change of behaviour. */
    calls,
    behave(next: MlBehaviour) {
      behaviour = next;
      calls.length = 0;
    },
    close: server.close,
  };
};

export type MlStandIn = Awaited<ReturnType<typeof startMlStandIn>>;
