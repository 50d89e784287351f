import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { startHttpsServer } from '@mailsweep/service-kit/testing';
import { onTestFinished } from 'vitest';

interface ReceivedRequest {
  method: string | undefined;
  path: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/**
 * A real https server of a sender, gone when the test is over.
 *
 * @param names - the names in its certificate
 * @param respond - responds to the n-th request, counted from 1, or leaves it open
 */
export const startListServer = async (
  names: readonly string[],
  respond: (response: ServerResponse, number: number) => void = (response) => void response.end(),
) => {
  const requests: ReceivedRequest[] = [];
  const server = await startHttpsServer(names, async (request, response) => {
    const { method, url: path, headers } = request;
    requests.push({ method, path, headers, body: await text(request) });
    respond(response, requests.length);
  });
  onTestFinished(() => server.close());
  return { ...server, requests };
};
