import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { byForm, openRow, retriesUnderLoad } from '../harness/campaign.ts';
import { explainFailure, type FaultStack, type User } from '../harness/fault-stack.ts';
import { launchAttack } from '../harness/launch-attack.ts';
import { attackerAddresses, expectOthersServed, measureOthers, startWithOthers } from './other-clients.ts';

/** More than the API holds of all clients together. */
const CONNECTIONS = 6_000;
const CONNECTIONS_PER_SECOND = byForm(1_000, 500);
const ATTACK_MS = byForm(4_000, 40_000);
const REOPEN_AFTER_MS = 10_000;

const row = openRow('R38');

describe('R38 one address opens more connections than there are', { retry: retriesUnderLoad() }, () => {
  it('6,000 that are kept alive: others are served, on new connections, too', async () => {
    explainFailure(stack);
    const report = await measureOthers({ api: stack.api, others, row }, async () => {
      const attack = await launchAttack('hold-connections', {
        port: Number(new URL(stack.api.url).port),
        connections: CONNECTIONS,
        connectionsPerSecond: CONNECTIONS_PER_SECOND,
        addresses: attackerAddresses(1),
        request: 'GET /api/v1/health HTTP/1.1\r\nhost: x\r\n\r\n',
        reads: true,
        reopenAfterMs: REOPEN_AFTER_MS,
      });
      await sleep(ATTACK_MS);
      const { opened = 0, closed = 0, 'status 200': served } = await attack.stop();
      expect(opened).toBeGreaterThanOrEqual(CONNECTIONS);
      expect(served).toBeGreaterThan(0);
      expect(opened - closed).toBeLessThan(CONNECTIONS / 10);
    });
    expectOthersServed(report);
  });

  let stack: FaultStack;
  let others: User[];
  beforeAll(async () => {
    ({ stack, others } = await startWithOthers());
  });
});
