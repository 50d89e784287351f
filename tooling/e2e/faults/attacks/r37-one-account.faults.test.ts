import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { byForm, openRow, retriesUnderLoad } from '../harness/campaign.ts';
import { explainFailure, type FaultStack, type User } from '../harness/fault-stack.ts';
import { cacheMails } from '../harness/large-account.ts';
import { launchAttack } from '../harness/launch-attack.ts';
import { attackerAddresses, expectOthersServed, measureOthers, startWithOthers } from './other-clients.ts';

/** An export of this many is some 30 MB: more than the kernel takes while nobody reads. */
const CACHED_MAILS = 104_000;
const UNFINISHED_POSTS = 300;
const SLOW_READERS = 205;
const SENDER_LISTS = 10;
/** How many of them the attack gets at least; few on a machine that runs other rows, too. */
const LISTS_SERVED = byForm(1, 10);
const CONNECTIONS_PER_SECOND = byForm(1_000, 100);
const ATTACK_MS = byForm(4_000, 40_000);
const REOPEN_AFTER_MS = 2_000;
/** So many that no address reaches a limit of its own: what is limited is the account. */
const ADDRESSES = attackerAddresses(10);

const row = openRow('R37');

describe('R37 one account takes all it can get', { retry: retriesUnderLoad() }, () => {
  it('300 POSTs whose bodies never end: others are served', async () => {
    explainFailure(stack);
    const head = `POST /api/v1/notifications/history/undo HTTP/1.1\r\nhost: x\r\ncookie: ${ada.cookie}\r\ncontent-type: application/json\r\ncontent-length: 99999\r\n\r\n{`;
    await expectOthersServedWhileHolding(UNFINISHED_POSTS, { request: head, drip: ' ', reads: true });
  });

  it('205 exports that are not read: others are served', async () => {
    explainFailure(stack);
    const request = `GET /api/v1/me/export HTTP/1.1\r\nhost: x\r\ncookie: ${ada.cookie}\r\n\r\n`;
    await expectOthersServedWhileHolding(SLOW_READERS, { request, drip: '\r\n', reads: false });
  });

  it('ten lists of the senders of 104,000 emails, over and over: others are served', async () => {
    explainFailure(stack);
    // The lists of an attempt before may still be running: one user gets one at a time.
    await vi.waitFor(async () => expect((await ada.ask('/api/v1/senders')).body.total).toBe(2_000), {
      timeout: 30_000,
      interval: 500,
    });
    const report = await measureOthers({ api: stack.api, others, row }, async () => {
      const attack = await launchAttack('repeat-requests', {
        url: `${stack.api.url}/api/v1/senders`,
        cookie: ada.cookie,
        parallel: SENDER_LISTS,
        addresses: ADDRESSES,
      });
      await sleep(ATTACK_MS);
      expect((await attack.stop())['status 200']).toBeGreaterThanOrEqual(LISTS_SERVED);
    });
    expectOthersServed(report);
  });

  const expectOthersServedWhileHolding = async (
    connections: number,
    client: { request: string; drip: string; reads: boolean },
  ): Promise<void> => {
    const report = await measureOthers({ api: stack.api, others, row }, async () => {
      const attack = await launchAttack('hold-connections', {
        ...client,
        port: Number(new URL(stack.api.url).port),
        connections,
        connectionsPerSecond: CONNECTIONS_PER_SECOND,
        addresses: ADDRESSES,
        reopenAfterMs: REOPEN_AFTER_MS,
      });
      await sleep(ATTACK_MS);
      expect((await attack.stop()).opened).toBeGreaterThanOrEqual(connections);
    });
    expectOthersServed(report);
  };

  let stack: FaultStack;
  let ada: User;
  let others: User[];
  beforeAll(async () => {
    ({ stack, ada, others } = await startWithOthers());
    await cacheMails(stack, ada.userId, CACHED_MAILS);
  });
});
