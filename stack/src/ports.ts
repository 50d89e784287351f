import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Which port a part would like. */
export interface PortWish {
  /** 0 for any. */
  preferred: number;
  /** The variable that asked for just this port; without one, another will do. */
  variable?: string | undefined;
}

export interface ReservedPort {
  port: number;
  /** Whether it is another one than preferred, which was taken. */
  isSubstitute: boolean;
  /** Gives the port free for the part that is about to take it. A second time changes nothing. */
  release(): Promise<void>;
}

/** A port that a variable asks for can't be had. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
  readonly code = 'port_taken';
}

const LOOPBACK = '127.0.0.1';
/**
 * Where any port comes from: below those that systems give to outgoing connections. One of these could take the port
 * between its release and the part's listening, and would keep it for a minute after its own end.
 */
const ANY_PORT = { first: 20_000, end: 32_000, attempts: 50 };

/**
 * Finds a free port and holds it, so that no other stack that starts just now gets the same one.
 *
 * @throws {PortTakenError} when the port was asked for and can't be had
 */
export const reservePort = async ({ preferred, variable }: PortWish): Promise<ReservedPort> => {
  const wanted = preferred === 0 ? await holdAny() : await hold(preferred);
  if ('server' in wanted) return toReserved(wanted.server, false);
  if (variable !== undefined) throw new PortTakenError(`${variable}: ${describe(preferred, wanted.problem)}`);
  const other = await holdAny();
  if ('server' in other) return toReserved(other.server, true);
  throw new PortTakenError(`There is no free port (${other.problem}).`);
};

const describe = (port: number, problem: string): string => {
  switch (problem) {
    case 'EADDRINUSE':
      return `port ${port} is taken by another program. Stop it, or ask for another port.`;
    case 'EACCES':
      return `port ${port} may not be opened by this account. Ask for one above 1023.`;
    default:
      return `port ${port} can't be opened (${problem}).`;
  }
};

const toReserved = (server: Server, isSubstitute: boolean): ReservedPort => {
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    isSubstitute,
    release: () => close(server),
  };
};

type Held = { server: Server } | { problem: string };

const holdAny = async (): Promise<Held> => {
  let held: Held = { problem: 'none was tried' };
  for (let attempt = 0; attempt < ANY_PORT.attempts && 'problem' in held; attempt += 1)
    held = await hold(randomInt(ANY_PORT.first, ANY_PORT.end));
  return held;
};

/** Listens on the port for all addresses; before that for loopback alone, which may be taken on its own. */
const hold = async (port: number): Promise<Held> => {
  const probe = await listen(port, LOOPBACK);
  if ('problem' in probe) return probe;
  await close(probe.server);
  return await listen(port, undefined);
};

const listen = async (port: number, host: string | undefined): Promise<Held> => {
  // Connections are refused meanwhile: an open one would block the port.
  const server = createServer((caller) => caller.destroy());
  const problem = Promise.withResolvers<{ problem: string }>();
  server.once('error', (error: NodeJS.ErrnoException) =>
    problem.resolve({ problem: error.code ?? error.message }),
  );
  const listening = once(server, 'listening').then(() => ({ server }));
  server.listen(port, host);
  return await Promise.race([listening, problem.promise]);
};

const close = async (server: Server): Promise<void> => {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  await closed;
};
