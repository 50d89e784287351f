import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { runAttack } from './attacker-process.ts';

/** Bodies that cost more to read than to send. */
const BODIES = {
  /** Arrays in arrays, 120,000 deep. */
  'deep-arrays': () => Buffer.from('['.repeat(120_000) + ']'.repeat(120_000)),
  /** Objects in objects, 40,000 deep. */
  'deep-objects': () => Buffer.from(`${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`),
  /** One object of 24,000 keys, 250 kB. */
  'many-keys': () =>
    Buffer.from(`{${Array.from({ length: 24_000 }, (_, number) => `"k${number}":1`).join(',')}}`),
  /** 100 MB of spaces, as 100 kB of gzip. */
  'gzip-bomb': () => gzipSync(Buffer.alloc(100_000_000, ' ')),
};

export interface FloodOptions {
  port: number;
  requestsPerSecond: number;
  /** Most requests that wait for a response at any time; more are not sent. */
  parallel: number;
  /** Local addresses, taken in turn. */
  addresses: string[];
  /** Method and path, taken in turn. */
  requests: [method: string, path: string][];
  /** Headers of a request, taken in turn. */
  headers: Record<string, string | string[]>[];
  body?: keyof typeof BODIES;
  /** Whether each request says that it was forwarded for another address. */
  isForwarded?: boolean;
  /** How long after a request its connection is cut, in milliseconds; a response that came before counts. */
  cutAfterMs?: number;
}

const TICK_MS = 20;

/** Sends requests at a steady rate from many addresses; counts the responses by status. */
await runAttack<FloodOptions>(async (options, count) => {
  const agent = new Agent({ keepAlive: true });
  const body = options.body === undefined ? undefined : BODIES[options.body]();
  let sent = 0;
  let waiting = 0;

  const send = (number: number): void => {
    const { requests, headers, addresses, cutAfterMs } = options;
    const [method = 'GET', path = '/'] = requests[number % requests.length] ?? [];
    const forwarded = `198.${18 + (number % 2)}.${(number >> 1) % 256}.${(number >> 9) % 256}`;
    waiting += 1;
    const request = httpRequest({
      host: '127.0.0.1',
      port: options.port,
      method,
      path,
      agent,
      localAddress: addresses[number % addresses.length] ?? '127.0.0.1',
      headers: {
        ...headers[number % headers.length],
        ...(body && { 'content-length': body.length }),
        ...(options.isForwarded && { 'x-forwarded-for': forwarded }),
      },
    });
    request.on('response', (response) => {
      count(`status ${response.statusCode}`);
      response.on('error', () => count('cut')).resume();
    });
    request.on('error', (error: NodeJS.ErrnoException) => count(error.code ?? error.message));
    request.once('close', () => {
      waiting -= 1;
    });
    request.end(body);
    if (cutAfterMs !== undefined) setTimeout(() => request.destroy(), cutAfterMs);
  };

  const run = async (): Promise<never> => {
    const startedMs = performance.now();
    for (;;) {
      const due = Math.floor(((performance.now() - startedMs) / 1_000) * options.requestsPerSecond);
      while (sent < due) {
        if (waiting < options.parallel) send(sent);
        else count('held back');
        sent += 1;
      }
      await sleep(TICK_MS);
    }
  };
  void run();
});
