import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MlRequestItem, Suggestion } from '@mailsweep/contracts';

type Respond = (items: MlRequestItem[], response: ServerResponse) => void;

const sendJson = (response: ServerResponse, status: number, body: unknown) => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};

/** A classification service whose responses a test decides. */
export const startClassificationStub = async () => {
  const requests: { headers: IncomingHttpHeaders; items: MlRequestItem[] }[] = [];
  let reply: Respond = (_items, response) => sendJson(response, 200, []);
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const items = JSON.parse(Buffer.concat(chunks).toString()) as MlRequestItem[];
    requests.push({ headers: request.headers, items });
    reply(items, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    /** Suggests the same for every email, or what the function says. */
    suggest(suggestions: Suggestion[] | ((item: MlRequestItem) => Suggestion[])) {
      reply = (items, response) =>
        sendJson(
          response,
          200,
          items.map((item) => ({
            id: item.id,
            suggestions: typeof suggestions === 'function' ? suggestions(item) : suggestions,
          })),
        );
    },
    respondWith(next: Respond) {
      reply = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
