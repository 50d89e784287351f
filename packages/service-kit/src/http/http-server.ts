import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toClientKey } from './client-address.ts';
import { limitConnections, limitPipelining, resetSlowReaders } from './connection-limits.ts';

/** Time in which a client has to send a whole request, in milliseconds. */
const REQUEST_TIMEOUT_MS = 10_000;
/** Longest head of a request, in bytes; longer ones get 431. */
const MAX_HEADER_BYTES = 16_384;
/** Limits, logs and streams each wait for the end of a response; Node takes more than ten for a leak. */
const MAX_RESPONSE_LISTENERS = 20;
/** How long an idle connection is kept, in milliseconds; longer than the usual proxy's 60 s. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** Most connections at once, in total and per address. */
const MAX_CONNECTIONS = 5_000;
const MAX_CONNECTIONS_PER_ADDRESS = 256;
/** How often requests that take too long to arrive are looked for, in milliseconds. */
const CONNECTIONS_CHECK_MS = 1_000;

export interface HttpServer {
  port: number;
  /**
   * Moves clients to other replicas while still serving all requests: each response from now on closes its
   * connection.
   */
  drain(): void;
  /** Takes no new connection, lets running requests finish, and closes the kept-alive connections. */
  close(): Promise<void>;
}

/**
 * Listens on a port. Clients that hold connections, send slowly or do not read what they asked for are cut off, so
 * that they take nothing from others (docs/decisions/037).
 *
 * @param options.port - 0 takes any free one
 * @param options.host - the address to listen on; all of them when absent
 * @param options.maxConnectionsPerAddress - 0 for none, as behind a proxy, which has all connections
 * @throws when the port is taken
 */
export const listen = async (options: {
  app: RequestListener;
  port: number;
  host?: string;
  maxConnectionsPerAddress?: number;
}): Promise<HttpServer> => {
  const { maxConnectionsPerAddress = MAX_CONNECTIONS_PER_ADDRESS } = options;
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: REQUEST_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
  });
  limitConnections(server, {
    maxConnections: MAX_CONNECTIONS,
    maxConnectionsPerAddress,
    addressKeyOf: toClientKey,
  });
  resetSlowReaders(server);
  let isDraining = false;
  let isClosing = false;
  const inFlight = new Set<ServerResponse>();
  const handle: RequestListener = (request, response) => {
    inFlight.add(response);
    response.setMaxListeners(MAX_RESPONSE_LISTENERS);
    // The client then opens its next connection at another replica.
    if (isDraining) response.setHeader('connection', 'close');
    response.once('close', () => {
      inFlight.delete(response);
      // A response whose head was sent earlier has no such header.
      if (isClosing) setImmediate(() => server.closeIdleConnections());
    });
    options.app(request, response);
  };
  server.on('request', limitPipelining(handle));
  const drain = () => {
    isDraining = true;
    for (const response of inFlight) if (!response.headersSent) response.setHeader('connection', 'close');
  };
  // A burst from one client must not overflow the queue in which the connections of others wait to be accepted.
  server.listen({ port: options.port, host: options.host, backlog: MAX_CONNECTIONS });
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
