import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Time in which a client has to send its headers, and its whole request, in milliseconds. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** How long an idle connection is kept, in milliseconds; longer than the usual proxy's 60 s. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** Most connections at once. */
const MAX_CONNECTIONS = 5_000;
/** How often slow clients are looked for, in milliseconds. */
const CONNECTIONS_CHECK_MS = 5_000;

export interface HttpServer {
  port: number;
  /**
   * Asks clients to go elsewhere, one connection after the other, while still serving everybody: each answer
   * from now on closes its connection.
   */
  drain(): void;
  /** Takes no new connection, lets running requests finish, and closes the kept-alive connections. */
  close(): Promise<void>;
}

/**
 * Listens on a port.
 *
 * @param options.port - 0 takes any free one
 * @param options.host - the address to listen on; all of them when absent
 * @throws when the port is taken
 */
export const listen = async (options: {
  app: RequestListener;
  port: number;
  host?: string;
}): Promise<HttpServer> => {
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
  });
  server.maxConnections = MAX_CONNECTIONS;
  let isDraining = false;
  let isClosing = false;
  const underWay = new Set<ServerResponse>();
  server.on('request', (request, response) => {
    underWay.add(response);
    // A client that is told so opens its next connection at another replica.
    if (isDraining) response.setHeader('connection', 'close');
    response.once('close', () => {
      underWay.delete(response);
      // An answer whose head was sent before could not say it.
      if (isClosing) setImmediate(() => server.closeIdleConnections());
    });
    options.app(request, response);
  });
  const drain = () => {
    isDraining = true;
    for (const response of underWay) if (!response.headersSent) response.setHeader('connection', 'close');
  };
  server.listen(options.port, options.host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    drain,
    async close() {
      drain();
      isClosing = true;
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      await closed;
    },
  };
};
