import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

const LOOPBACK = '127.0.0.1';

/** The address of a server that only this machine can reach. */
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
