import { randomInt } from 'node:crypto';
import getPort from 'get-port';

export interface PortRange {
  first: number;
  count: number;
}

/**
 * Below the ports that systems give to outgoing connections, each of which keeps its own for a minute after its end, and
 * below those that stacks of `npm start` take by themselves, from 20,000 on (tooling/stack/src/ports.ts).
 */
const NEVER_GIVEN_AWAY: PortRange = { first: 12_000, count: 4_000 };
const ATTEMPTS = 50;

/** A port for a server that is about to start, and may start again later; no other call here returns the same. */
export const findFreePort = ({ first, count }: PortRange = NEVER_GIVEN_AWAY): Promise<number> =>
  getPort({ port: Array.from({ length: ATTEMPTS }, () => first + randomInt(count)), reserve: true });
