import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../harness/ask.ts';
import { byForm, openRow, retriesUnderLoad } from '../harness/campaign.ts';
import { explainFailure, type FaultStack, type User } from '../harness/fault-stack.ts';
import { launchAttack } from '../harness/launch-attack.ts';
import { attackerAddresses, expectOthersServed, measureOthers, startWithOthers } from './other-clients.ts';

/** The largest asset that needs no account. */
const ASSET = '/docs/swagger-ui-bundle.js';
/**
 * Node cannot make a receive window small, and on the loopback interface the kernel takes some 4 MB of what nobody
 * reads: two of these responses. So each client sends three requests, as many as may wait on a connection. The short
 * form has fewer clients, since other tests need the kernel's memory, too.
 */
const CLIENTS = byForm(120, 640);
const PIPELINED = 3;
const request = `GET ${ASSET} HTTP/1.1\r\nhost: x\r\n\r\n`;
const CONNECTIONS_PER_SECOND = byForm(1_000, 200);
const ATTACK_MS = byForm(4_000, 40_000);
const REOPEN_AFTER_MS = 1_000;

const row = openRow('R35');

describe('R35 responses that are never read', { retry: retriesUnderLoad() }, () => {
  it.each([
    ['one address', 1],
    ['twenty addresses', 20],
  ])('clients of %s ask for the largest public asset: others are served', async (_title, addresses) => {
    explainFailure(stack);
    expect((await ask(`${stack.api.url}${ASSET}`)).status).toBe(200);
    const report = await measureOthers({ api: stack.api, others, row }, async () => {
      const attack = await launchAttack('hold-connections', {
        port: Number(new URL(stack.api.url).port),
        connections: CLIENTS,
        connectionsPerSecond: CONNECTIONS_PER_SECOND,
        addresses: attackerAddresses(addresses),
        request: request.repeat(PIPELINED),
        reads: false,
        drip: '\r\n',
        reopenAfterMs: REOPEN_AFTER_MS,
      });
      await sleep(ATTACK_MS);
      expect((await attack.stop()).opened).toBeGreaterThanOrEqual(CLIENTS);
    });
    expectOthersServed(report);
  });

  let stack: FaultStack;
  let others: User[];
  beforeAll(async () => {
    ({ stack, others } = await startWithOthers());
  });
});
