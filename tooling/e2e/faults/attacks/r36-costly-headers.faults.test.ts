import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../harness/ask.ts';
import { byForm, openRow, retriesUnderLoad } from '../harness/campaign.ts';
import { explainFailure, type FaultStack, type User } from '../harness/fault-stack.ts';
import { startSteadyLoad } from '../harness/steady-load.ts';
import { attackerAddresses, expectOthersServed, measureOthers, startWithOthers } from './other-clients.ts';

const REQUESTS_PER_SECOND = 25;
const ATTACK_MS = byForm(4_000, 30_000);
/** Node refuses more than 16 kB of headers. */
const SPACES = ' '.repeat(15_000);

/** Headers that the API reads before it knows the client; every other request has the first. */
const CONTENT_TYPE = { 'content-type': `application/json${SPACES}x` };
const OTHERS: Record<string, string>[] = [
  { authorization: `Bearer${SPACES}x` },
  { cookie: `session_token=${SPACES}x` },
  { 'x-forwarded-for': `192.0.2.1${SPACES}x` },
  { 'x-request-id': `x${SPACES}x` },
  { 'accept-encoding': `gzip${SPACES}x` },
];

const row = openRow('R36');

describe('R36 headers that are costly to read', { retry: retriesUnderLoad() }, () => {
  it('25 requests a second with 15 kB of spaces in a header: others are served', async () => {
    explainFailure(stack);
    const [localAddress = ''] = attackerAddresses(1);
    const report = await measureOthers({ api: stack.api, others, row }, async () => {
      const attack = startSteadyLoad({
        requestsPerSecond: REQUESTS_PER_SECOND,
        send: (number) => {
          const headers = {
            'content-type': 'application/json',
            cookie: ada.cookie,
            ...(number % 2 === 0 ? CONTENT_TYPE : OTHERS[((number - 1) / 2) % OTHERS.length]),
          };
          return ask(`${stack.api.url}/api/v1/inbox/actions`, { headers, body: '{}', localAddress });
        },
      });
      await sleep(ATTACK_MS);
      const { replies } = await attack.stop();
      // Each was read and refused, none for want of capacity.
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([400, 401, 415]));
    });
    expectOthersServed(report);
  });

  let stack: FaultStack;
  let ada: User;
  let others: User[];
  beforeAll(async () => {
    ({ stack, ada, others } = await startWithOthers());
  });
});
