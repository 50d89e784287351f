import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Bytes on their way: `up` to the server, `down` to the client. */
export interface Chunk {
  direction: 'up' | 'down';
  bytes: Buffer;
}

/** A way to a server that can be broken at will. */
export interface FaultProxy {
  /** The given address, with the proxy in between. */
  url: string;
  port: number;
  /** Drops every connection and refuses new ones, like a server that died. */
  cut(): void;
  /** Drops the connections there are with a reset; new ones are welcome. */
  reset(): void;
  /** Keeps connections, and takes new ones, but lets no byte and no goodbye pass: a black hole. */
  freeze(): void;
  /** Holds every chunk back for so many milliseconds, each way. */
  delay(latencyMs: number): void;
  /** Breaks each connection off once so many bytes have come down on it. */
  limit(bytesDown: number): void;
  /** Is as good as new; connections that lost bytes are dropped. */
  heal(): void;
  /** Shows each chunk before it goes on. A listener that freezes or cuts the proxy keeps the chunk from it. */
  onChunk(listener: ((chunk: Chunk) => void) | undefined): void;
  /** Connections open at this moment. */
  countConnections(): number;
  close(): Promise<void>;
}

const DEFAULT_PORTS: Record<string, number> = {
  'http:': 80,
  'redis:': 6379,
  'postgresql:': 5432,
  'postgres:': 5432,
};

/** Stands between a client and a real server on a free port of this machine. */
export const openFaultProxy = async (targetUrl: string): Promise<FaultProxy> => {
  const target = new URL(targetUrl);
  const targetPort = Number(target.port || DEFAULT_PORTS[target.protocol]);
  let mode: 'open' | 'cut' | 'frozen' = 'open';
  let latencyMs = 0;
  let bytesAllowed = Number.POSITIVE_INFINITY;
  let listener: ((chunk: Chunk) => void) | undefined;
  const sockets = new Set<Socket>();

  const dropAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  };

  const join = (from: Socket, to: Socket, direction: Chunk['direction']) => {
    let passed = 0;
    /** What is held back; whatever comes later waits behind it, so that chunks keep their order. */
    let heldBack: Promise<void> | undefined;
    const forward = (bytes: Buffer) => {
      listener?.({ direction, bytes });
      if (mode !== 'open' || to.destroyed) return;
      passed += bytes.length;
      if (direction === 'down' && passed > bytesAllowed) {
        to.write(bytes.subarray(0, Math.max(0, bytes.length - (passed - bytesAllowed))));
        from.destroy();
        to.resetAndDestroy();
      } else if (!to.write(bytes)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
    };
    const inOrder = (step: () => void) => {
      if (latencyMs === 0 && heldBack === undefined) return step();
      const mine = Promise.all([heldBack, sleep(latencyMs)]).then(() => {
        if (heldBack === mine) heldBack = undefined;
        step();
      });
      heldBack = mine;
    };
    from.on('data', (bytes) => inOrder(() => forward(bytes)));
    from.on('close', () =>
      inOrder(() => {
        if (mode !== 'frozen') to.destroy();
      }),
    );
  };

  const server = createServer((client) => {
    track(client);
    if (mode === 'cut') return void client.destroy();
    const upstream = createConnection({ host: target.hostname, port: targetPort, noDelay: true });
    client.setNoDelay();
    track(upstream);
    join(client, upstream, 'up');
    join(upstream, client, 'down');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const { port } = server.address() as AddressInfo;
  const url = new URL(targetUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    // A URL without a path gets none.
    url: targetUrl.endsWith('/') ? url.href : url.href.replace(/\/$/, ''),
    port,
    cut() {
      mode = 'cut';
      dropAll();
    },
    reset() {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    freeze() {
      mode = 'frozen';
    },
    delay(milliseconds) {
      latencyMs = milliseconds;
    },
    limit(bytesDown) {
      bytesAllowed = bytesDown;
    },
    heal() {
      if (mode === 'frozen' || Number.isFinite(bytesAllowed)) dropAll();
      mode = 'open';
      latencyMs = 0;
      bytesAllowed = Number.POSITIVE_INFINITY;
    },
    onChunk(next) {
      listener = next;
    },
    countConnections: () => sockets.size / 2,
    async close() {
      const closed = once(server, 'close');
      server.close();
      dropAll();
      await closed;
    },
  };
};
