import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import ipaddr from 'ipaddr.js';
import { limitConnections, limitPipelining, resetSlowReaders } from './connection-limits.ts';

/** Time in which a client has to send a whole request, in milliseconds. */
const REQUEST_TIMEOUT_MS = 10_000;
/** Longest head of a request, in bytes; longer ones get 431. */
const MAX_HEADER_BYTES = 16_384;
/** Limits, logs and streams each wait for the end of a response; Node takes more than ten for a leak. */
const MAX_RESPONSE_LISTENERS = 20;
/** How long an idle connection is kept, in milliseconds; longer than the usual proxy's 60 s. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
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

const LOOPBACK = '127.0.0.1';

export const loopbackUrl = (port: number): string => `http://${LOOPBACK}:${port}`;

/**
 * Listens on the loopback interface: these servers have no authentication.
 *
 * @param port - 0 takes any free one
 * @throws when the port is taken
 */
export const listenOnLoopback = async (
  app: RequestListener,
  port: number,
): Promise<{ port: number; url: string; close: () => Promise<void> }> => {
  const server = createServer(app);
  server.listen(port, LOOPBACK);
  await once(server, 'listening');
  const { port: actualPort } = server.address() as AddressInfo;
  return {
    port: actualPort,
    url: loopbackUrl(actualPort),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      // Calls that a test lets hang never end by themselves.
      server.closeAllConnections();
      await closed;
    },
  };
};

/** What all clients without a readable address share. */
export const UNKNOWN_CLIENT = 'unknown';

const IPV6_PREFIX_LENGTH = 64;

/** Some proxies forward the port, too: `192.0.2.1:567` or `[2001:db8::1]:567`. */
const BRACKETED = /^\[([^\]]*)\](?::\d+)?$/;
const IPV4_WITH_PORT = /^([\d.]+):\d+$/;

const stripPort = (text: string): string =>
  BRACKETED.exec(text)?.[1] ?? IPV4_WITH_PORT.exec(text)?.[1] ?? text;

/**
 * The key by which limits count a client: the same for every spelling of an address, with or without a port, and for
 * all addresses of one IPv6 network, since a single host has a whole one to choose from (RFC 6177).
 *
 * @param text - an IP address as the socket or a proxy gives it
 * @returns an IPv4 address, an IPv6 network, or `UNKNOWN_CLIENT` if the text is no address
 */
export const toClientKey = (text: string | undefined): string => {
  const host = stripPort(text?.trim() ?? '');
  if (!ipaddr.isValid(host)) return UNKNOWN_CLIENT;
  // `process` turns ::ffff:192.0.2.1 into 192.0.2.1.
  const address = ipaddr.process(host);
  if (address.kind() === 'ipv4') return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${IPV6_PREFIX_LENGTH}`)}/${IPV6_PREFIX_LENGTH}`;
};
