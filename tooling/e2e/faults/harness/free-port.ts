import { findFreePort as findFreePortIn } from '@mailsweep/service-kit/testing';
import { readRunner } from './config.ts';

/** Above the ports of other tests, below those of stacks. */
const FIRST_PORT = 16_000;
/** Each process that runs test files has ports of its own: one that is down for a moment loses its port to nobody. */
const PORTS_PER_RUNNER = 400;
const RUNNERS = 10;

const range = {
  first: FIRST_PORT + (readRunner() % RUNNERS) * PORTS_PER_RUNNER,
  count: PORTS_PER_RUNNER,
};

/** A port for a process that is about to start, and starts again later. */
export const findFreePort = (): Promise<number> => findFreePortIn(range);
