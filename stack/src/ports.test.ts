import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { reservePort } from './ports.ts';

/** Linux's; other systems begin at 49152. */
const LOWEST_OUTGOING_PORT = 32_768;

/** Another program that listens, on all addresses or one. */
const occupy = async (host?: string): Promise<number> => {
  const server = createServer();
  server.listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

it('takes the preferred port when it is free', async () => {
  const free = await reservePort({ preferred: 0 });
  await free.release();
  const port = await reservePort({ preferred: free.port, variable: 'PORT' });
  onTestFinished(port.release);
  expect(port).toMatchObject({ port: free.port, isSubstitute: false });
});

it('takes none that an outgoing connection could have taken between its release and its use', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, () => reservePort({ preferred: 0 })));
  for (const { release } of ports) onTestFinished(release);
  expect(Math.max(...ports.map(({ port }) => port))).toBeLessThan(LOWEST_OUTGOING_PORT);
});

it.each([undefined, '127.0.0.1'])('takes another one when the preferred is taken (on %s)', async (host) => {
  const taken = await occupy(host);
  const port = await reservePort({ preferred: taken });
  onTestFinished(port.release);
  expect(port.isSubstitute).toBe(true);
  expect(port.port).toBeGreaterThan(0);
  expect(port.port).not.toBe(taken);
});

it('names the variable when the port that it asks for is taken', async () => {
  const taken = await occupy();
  await expect(reservePort({ preferred: taken, variable: 'WEB_PORT' })).rejects.toThrow(
    `WEB_PORT: port ${taken} is taken by another program`,
  );
});

it('holds a port until it is released, so that two stacks never choose the same', async () => {
  const first = await reservePort({ preferred: 0 });
  const second = await reservePort({ preferred: first.port });
  onTestFinished(second.release);
  expect(second.port).not.toBe(first.port);
  await first.release();
  await first.release();
  const third = await reservePort({ preferred: first.port });
  onTestFinished(third.release);
  expect(third.port).toBe(first.port);
});

it('releases a port that a client keeps calling, such as a page that was left open', async () => {
  const held = await reservePort({ preferred: 0 });
  const caller = connect(held.port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void caller.destroy());
  await once(caller, 'connect');
  await held.release();
  const next = await reservePort({ preferred: held.port });
  onTestFinished(next.release);
  expect(next.port).toBe(held.port);
});
