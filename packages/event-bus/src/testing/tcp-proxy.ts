import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  /** The given address, with the proxy in between. */
  url: string;
  /** Drops every connection and refuses new ones, like a server that died. */
  cut(): void;
  /** Keeps connections open but lets no byte pass, like a network that lost its way. */
  freeze(): void;
  /** Lets everything pass again. */
  restore(): void;
  close(): Promise<void>;
}

const DEFAULT_PORTS: Record<string, number> = { 'redis:': 6379, 'postgresql:': 5432, 'postgres:': 5432 };

/** Stands between a client and a real server, to take the one away from the other. */
export const openTcpProxy = async (targetUrl: string): Promise<TcpProxy> => {
  const target = new URL(targetUrl);
  const targetPort = Number(target.port || DEFAULT_PORTS[target.protocol]);
  let state: 'open' | 'cut' | 'frozen' = 'open';
  const sockets = new Set<Socket>();

  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  };
  const server = createServer((client) => {
    if (state === 'cut') return void client.destroy();
    const upstream = createConnection({ host: target.hostname, port: targetPort });
    track(client);
    track(upstream);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.pipe(to);
      from.on('close', () => to.destroy());
      if (state === 'frozen') from.unpipe();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const url = new URL(targetUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const dropAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    cut() {
      state = 'cut';
      dropAll();
    },
    freeze() {
      state = 'frozen';
      for (const socket of sockets) socket.unpipe().pause();
    },
    restore() {
      state = 'open';
      dropAll();
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      dropAll();
      await closed;
    },
  };
};
