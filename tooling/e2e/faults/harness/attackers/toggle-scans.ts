import { ask } from '../ask.ts';
import { runAttack } from './attacker-process.ts';

export interface ToggleScansOptions {
  url: string;
  cookies: string[];
  /** Local addresses, taken in turn. */
  addresses: string[];
}

/** Starts a scan of each account and cancels it, over and over; counts the responses by route and status. */
await runAttack<ToggleScansOptions>(async ({ url, cookies, addresses }, count) => {
  const toggle = async (cookie: string, localAddress: string): Promise<never> => {
    for (;;) {
      const started = await ask(`${url}/api/v1/scans`, { method: 'POST', json: {}, cookie, localAddress });
      count(`start ${started.status}`);
      const cancelPath = `/api/v1/scans/${started.body?.id}/cancel`;
      const cancelled = await ask(`${url}${cancelPath}`, { method: 'POST', json: {}, cookie, localAddress });
      count(`cancel ${cancelled.status}`);
    }
  };
  for (const [index, cookie] of cookies.entries())
    void toggle(cookie, addresses[index % addresses.length] ?? '');
});
