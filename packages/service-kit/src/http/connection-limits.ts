import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The client of an address; its idle connections are ordered by how long they have been idle, longest first. */
interface Client {
  key: string;
  connections: number;
  idle: Set<Socket>;
}

interface Connection {
  client: Client;
  requestsInFlight: number;
}

/**
 * Limits the connections of a server, in total and per address, and lets new ones in by closing idle ones. A
 * connection is idle while no request on it is in flight; a request is in flight once its headers are complete.
 *
 * - At the limit per address, the address's own longest idle connection is closed.
 * - At the total limit, the longest idle connection of the address that holds the most is closed.
 * - Where none is idle, the new connection is closed.
 *
 * @param options.maxConnections - limit in total
 * @param options.maxConnectionsPerAddress - limit per address; 0 for none
 * @param options.addressKeyOf - names the client of an address, so that several addresses can count as one
 */
export const limitConnections = (
  server: Server,
  options: {
    maxConnections: number;
    maxConnectionsPerAddress: number;
    addressKeyOf: (address: string | undefined) => string;
  },
): void => {
  const clients = new Map<string, Client>();
  const connections = new Map<Socket, Connection>();

  const add = (socket: Socket, key: string) => {
    const client = clients.get(key) ?? { key, connections: 0, idle: new Set() };
    clients.set(key, client);
    client.connections += 1;
    client.idle.add(socket);
    connections.set(socket, { client, requestsInFlight: 0 });
  };

  const remove = (socket: Socket) => {
    const client = connections.get(socket)?.client;
    if (client === undefined) return;
    connections.delete(socket);
    client.idle.delete(socket);
    client.connections -= 1;
    if (client.connections === 0) clients.delete(client.key);
  };

  const countRequest = (socket: Socket, change: 1 | -1) => {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connection.requestsInFlight += change;
    if (connection.requestsInFlight === 0) connection.client.idle.add(socket);
    else connection.client.idle.delete(socket);
  };

  const closeLongestIdle = (client: Client | undefined): boolean => {
    const [socket] = client?.idle ?? [];
    if (socket === undefined) return false;
    // Its close event comes too late for the connection that takes its place.
    remove(socket);
    socket.destroy();
    return true;
  };

  const findLargestClientWithIdle = (): Client | undefined => {
    let largest: Client | undefined;
    for (const client of clients.values()) {
      if (client.idle.size > 0 && client.connections > (largest?.connections ?? 0)) largest = client;
    }
    return largest;
  };

  const makeRoom = (key: string): boolean => {
    const client = clients.get(key);
    const limit = options.maxConnectionsPerAddress;
    if (limit > 0 && client !== undefined && client.connections >= limit) return closeLongestIdle(client);
    return connections.size < options.maxConnections || closeLongestIdle(findLargestClientWithIdle());
  };

  server.on('connection', (socket) => {
    const key = options.addressKeyOf(socket.remoteAddress);
    if (!makeRoom(key)) {
      socket.destroy();
      return;
    }
    add(socket, key);
    socket.once('close', () => remove(socket));
  });

  server.on('request', ({ socket }, response) => {
    countRequest(socket, 1);
    response.once('close', () => countRequest(socket, -1));
  });
};

/** How long clients may take to read responses. */
export interface ReadingLimits {
  /** Longest time in which a client reads nothing of what waits for it, in milliseconds. */
  stallMs: number;
  /** Longest time that responses wait for their client in total, in milliseconds, ... */
  waitMs: number;
  /** ... not counting the time that their bytes take at this rate, in bytes a second. */
  minBytesPerSecond: number;
  checkMs: number;
}

const LIMITS: ReadingLimits = { stallMs: 10_000, waitMs: 30_000, minBytesPerSecond: 16_000, checkMs: 1_000 };

/** The responses of a connection that are not yet handed to the kernel as a whole. */
interface Reading {
  responses: Set<ServerResponse>;
  /** Bytes that were written before them. */
  bytesBefore: number;
  waitedMs: number;
}

/**
 * Resets connections whose client does not read its responses, or reads them too slowly: what waits to be sent
 * takes memory, and its request counts as in flight. The time in which a handler works does not count. Call it before the
 * server's own request listener is added, whose bytes would count as those of an earlier response.
 */
export const resetSlowReaders = (server: Server, limits: ReadingLimits = LIMITS): void => {
  const readings = new Map<Socket, Reading>();

  server.on('request', ({ socket }, response) => {
    const reading = readings.get(socket) ?? {
      responses: new Set(),
      bytesBefore: socket.bytesWritten,
      waitedMs: 0,
    };
    readings.set(socket, reading);
    reading.responses.add(response);
    response.once('close', () => {
      reading.responses.delete(response);
      if (reading.responses.size === 0) readings.delete(socket);
    });
  });

  // Node restarts this time-out whenever the kernel takes more. Node ends connections that are kept alive by it, too.
  server.timeout = limits.stallMs;
  server.on('timeout', (socket) => {
    if (!readings.has(socket)) socket.destroy();
    else if (socket.writableLength > 0) socket.resetAndDestroy();
  });

  const timer = setInterval(() => {
    for (const [socket, reading] of readings) {
      if (socket.writableLength === 0) continue;
      reading.waitedMs += limits.checkMs;
      // Including bytes that still wait: Node does not tell how much of a large write the kernel has taken.
      const bytes = socket.bytesWritten - reading.bytesBefore;
      const allowedMs = limits.waitMs + (bytes / limits.minBytesPerSecond) * 1_000;
      if (reading.waitedMs > allowedMs) socket.resetAndDestroy();
    }
  }, limits.checkMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));
};

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
