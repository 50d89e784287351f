import { randomInt } from 'node:crypto';
import getPort, { clearLockedPorts } from 'get-port';

export interface PortWish {
  /** 0 for any. */
  preferred: number;
  /** The variable that asked for just this port; without one, another will do. */
  variable?: string | undefined;
}

/** A port that a variable asks for can't be had. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
}

/**
 * Where any port comes from: below those that systems give to outgoing connections. One of these could take the port
 * before the part listens, and would keep it for a minute after its own end.
 */
const ANY_PORT = { first: 20_000, end: 32_000, attempts: 50 };

/** Forgets which ports were found: those of a stack that has stopped are free again. */
export const releasePorts = clearLockedPorts;

/**
 * Finds a port that is free on all addresses, a different one at each call.
 *
 * @throws {PortTakenError} when the port was asked for and can't be had
 */
export const findPort = async ({ preferred, variable }: PortWish): Promise<number> => {
  const any = Array.from({ length: ANY_PORT.attempts }, () => randomInt(ANY_PORT.first, ANY_PORT.end));
  const port = await getPort({ port: preferred === 0 ? any : [preferred, ...any], reserve: true });
  if (variable === undefined || port === preferred) return port;
  const hint = preferred < 1_024 ? 'ask for one above 1023' : 'stop it, or ask for another port';
  throw new PortTakenError(
    `${variable}: port ${preferred} is taken by another program or not allowed; ${hint}.`,
  );
};
