import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';

/** A breakable way to a server. */
export interface TcpProxy {
  port: number;
  /** Drops all connections, and each new one at once. */
  cut(): void;
  /** Keeps connections, and takes new ones, but lets no byte through. */
  silence(): void;
  /** Is as good as new; connections that were silenced are dropped. */
  mend(): void;
  close(): Promise<void>;
}

/** Starts a proxy on a free port of this machine. */
export const startTcpProxy = async (target: { host: string; port: number }): Promise<TcpProxy> => {
  let mode: 'open' | 'cut' | 'silent' = 'open';
  const pairs = new Set<[Socket, Socket]>();
  const dropAll = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  };

  const server = createServer((client) => {
    client.on('error', () => client.destroy());
    if (mode === 'cut') return client.destroy();
    const upstream = createConnection(target);
    upstream.on('error', () => upstream.destroy());
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    for (const [from, to] of [pair, pair.toReversed() as [Socket, Socket]]) {
      from.on('data', (bytes) => {
        if (mode === 'open') to.write(bytes);
      });
      from.on('close', () => {
        to.destroy();
        pairs.delete(pair);
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      mode = 'cut';
      dropAll();
    },
    silence() {
      mode = 'silent';
    },
    mend() {
      if (mode === 'silent') dropAll();
      mode = 'open';
    },
    async close() {
      dropAll();
      server.close();
      await once(server, 'close');
    },
  };
};
