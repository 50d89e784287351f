import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

export interface PortRange {
  first: number;
  count: number;
}

/** Below the ports that systems give to outgoing connections, each of which keeps its own for a minute after its end. */
const NEVER_GIVEN_AWAY: PortRange = { first: 12_000, count: 20_000 };

const handedOut = new Set<number>();

/** A port for a server that is about to start, and may start again later; no other call here answers the same. */
export const findFreePort = async (range: PortRange = NEVER_GIVEN_AWAY): Promise<number> => {
  for (;;) {
    const port = range.first + randomInt(range.count);
    if (handedOut.has(port)) continue;
    handedOut.add(port);
    if (await isFree(port)) return port;
  }
};

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer();
  try {
    server.listen(port);
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return true;
  } catch {
    // Taken: the caller tries another.
    return false;
  }
};
