import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the range from which systems take the ports of outgoing connections, so that a restart finds its port free. */
const FIRST_PORT = 12_000;
const PORT_COUNT = 20_000;

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

/** A port for a process that is about to start, and starts again later. */
export const findFreePort = async (): Promise<number> => {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORT_COUNT);
    if (await isFree(port)) return port;
  }
};
