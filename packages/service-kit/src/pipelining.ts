import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** Most requests of a connection that wait for their responses; browsers and proxies send one at a time. */
const MAX_WAITING = 3;

/**
 * Cuts connections that send more requests without waiting for responses: Node reads all that arrive together before
 * it does anything else, so that a few connections could block all other clients.
 */
export const limitPipelining = (app: RequestListener): RequestListener => {
  const waiting = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    // Requests that had arrived before the cut are still reported.
    if (socket.destroyed) return;
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > MAX_WAITING) {
      socket.destroy();
      return;
    }
    waiting.set(socket, count);
    response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    app(request, response);
  };
};
