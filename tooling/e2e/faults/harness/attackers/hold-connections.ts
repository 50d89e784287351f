import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { runAttack } from './attacker-process.ts';

export interface HoldConnectionsOptions {
  port: number;
  connections: number;
  /** How fast they are opened. */
  connectionsPerSecond: number;
  /** Local addresses, taken in turn. */
  addresses: string[];
  /** What each connection sends once it is open. */
  request: string;
  /** false: nothing that arrives is taken from the socket, so that the response stays in the server. */
  reads: boolean;
  /** What each connection sends every second from then on. */
  drip?: string;
  /** How long a connection that the server closed stays closed, in milliseconds. */
  reopenAfterMs: number;
}

const OPENING_TICK_MS = 50;
const DRIP_MS = 1_000;

/** Holds a number of connections, and opens those again that the server closes. */
await runAttack<HoldConnectionsOptions>(async (options, count) => {
  const { port, addresses, request, reads, drip, reopenAfterMs } = options;

  const hold = async (localAddress: string, onFirstTry: () => void): Promise<never> => {
    for (;;) {
      const socket = connect({ host: '127.0.0.1', port, localAddress });
      if (reads) {
        socket.setEncoding('latin1').on('data', (text: string) => {
          for (const [, status] of text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)) count(`status ${status}`);
        });
      } else socket.pause();
      socket.on('error', (error: NodeJS.ErrnoException) => count(error.code ?? error.message));
      socket.once('connect', () => {
        count('opened');
        onFirstTry();
        socket.write(request);
      });
      // A socket that is not read does not see its end until it is written to.
      const timer = drip === undefined ? undefined : setInterval(() => socket.write(drip), DRIP_MS);
      await once(socket, 'close').catch(() => socket.destroy());
      clearInterval(timer);
      count('closed');
      onFirstTry();
      await sleep(reopenAfterMs);
    }
  };

  const openedPerTick = Math.ceil((options.connectionsPerSecond * OPENING_TICK_MS) / 1_000);
  const tried: Promise<void>[] = [];
  while (tried.length < options.connections) {
    const address = addresses[tried.length % addresses.length] ?? '127.0.0.1';
    tried.push(new Promise((resolve) => void hold(address, resolve)));
    if (tried.length % openedPerTick === 0) await sleep(OPENING_TICK_MS);
  }
  await Promise.all(tried);
});
