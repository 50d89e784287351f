import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { findPort } from './ports.ts';

/** Linux's; other systems begin at 49152. */
const LOWEST_OUTGOING_PORT = 32_768;

/** A program that listens, on all addresses or one. */
const occupy = async (port: number, host?: string): Promise<void> => {
  const server = createServer();
  server.listen(port, host);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
};

it('finds different ports, none of which an outgoing connection could take meanwhile', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, () => findPort({ preferred: 0 })));
  expect(new Set(ports).size).toBe(20);
  expect(Math.max(...ports)).toBeLessThan(LOWEST_OUTGOING_PORT);
});

it('prefers the wanted port', async () => {
  const port = await pickPort();
  expect(await findPort({ preferred: port, variable: 'PORT' })).toBe(port);
});

it.each([undefined, '127.0.0.1'])('finds another one when the preferred is taken (on %s)', async (host) => {
  const port = await pickPort();
  await occupy(port, host);
  const found = await findPort({ preferred: port });
  expect(found).toBeGreaterThan(0);
  expect(found).not.toBe(port);
});

it('names the variable when the port that it asks for is taken', async () => {
  const port = await pickPort();
  await occupy(port);
  await expect(findPort({ preferred: port, variable: '--web-port' })).rejects.toThrow(
    `--web-port: port ${port} is taken by another program`,
  );
});

/** A port that nothing of ours has asked for yet. */
const pickPort = async (): Promise<number> => {
  const server = createServer();
  server.listen(0);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
};
