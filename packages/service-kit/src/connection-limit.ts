import type { Server } from 'node:http';
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
