import { setTimeout as sleep } from 'node:timers/promises';
import { createTokenSecret } from '@mailsweep/api/testing/bad-tokens';
import { beforeAll, describe, it, onTestFailed } from 'vitest';
import { byForm, openRow, retriesUnderLoad } from '../harness/campaign.ts';
import { explainFailure, type FaultStack, type User } from '../harness/fault-stack.ts';
import { mails } from '../harness/google.ts';
import { cacheMails } from '../harness/large-account.ts';
import { launchAttack } from '../harness/launch-attack.ts';
import { attackerAddresses, expectOthersServed, measureOthers, startWithOthers } from './other-clients.ts';

const ATTACK_MS = byForm(3_000, 20_000);
/** Fewer in the short form, which shares the machine with other rows. */
const SIGN_INS_PER_SECOND = byForm(150, 500);
const ADDRESSES = attackerAddresses(10);
const ATTACKERS = 8;
const EXPORTED_MAILS = 50_000;
const JSON_TYPE = { 'content-type': 'application/json' };

type Launch = Parameters<typeof launchAttack>;

const row = openRow('R44');

describe('R44 other clients are served while', { retry: retriesUnderLoad() }, () => {
  it.each(['deep-arrays', 'deep-objects', 'many-keys'] as const)(
    '8 accounts send 100 bodies of 250 kB a second: %s',
    (body) =>
      othersServedDuring(() => [
        'flood',
        flood({
          requestsPerSecond: 100,
          requests: [['POST', '/api/v1/inbox/actions']],
          headers: asAll(JSON_TYPE),
          body,
        }),
      ]),
  );

  it('8 accounts send 50 bodies a second that unpack to 100 MB', () =>
    othersServedDuring(() => [
      'flood',
      flood({
        requestsPerSecond: 50,
        requests: [['POST', '/api/v1/inbox/actions']],
        headers: asAll({ ...JSON_TYPE, 'content-encoding': 'gzip' }),
        body: 'gzip-bomb',
      }),
    ]));

  it('100 requests a second have 1,000 headers', () =>
    othersServedDuring(() => [
      'flood',
      flood({
        requestsPerSecond: 100,
        headers: asAll(
          Object.fromEntries(Array.from({ length: 1_000 }, (_, number) => [`x-${number}`, 'a'])),
        ),
      }),
    ]));

  it('100 requests a second have 1,500 cookies', () =>
    othersServedDuring(() => [
      'flood',
      flood({
        requestsPerSecond: 100,
        headers: attackers.map(({ cookie }) => ({
          cookie: `${Array.from({ length: 1_500 }, (_, number) => `c${number}=`).join('; ')}; ${cookie}`,
        })),
      }),
    ]));

  it('200 requests a second have made-up tokens with the right checksum', () =>
    othersServedDuring(() => [
      'flood',
      flood({
        requestsPerSecond: 200,
        headers: Array.from({ length: 1_000 }, () => ({ authorization: `Bearer ${createTokenSecret()}` })),
      }),
    ]));

  it('8 programs list emails and senders, and export what they may not, 100 times a second', () =>
    othersServedDuring(() => [
      'flood',
      flood({
        requestsPerSecond: 100,
        requests: [
          ['GET', '/api/v1/emails'],
          ['GET', '/api/v1/senders'],
          ['GET', '/api/v1/me/export'],
        ],
        headers: programs.map(({ headers }) => headers),
      }),
    ]));

  it('one account cuts 100 costly requests a second', () =>
    othersServedDuring(() => [
      'flood',
      flood({
        requestsPerSecond: 100,
        requests: [
          ['GET', '/api/v1/emails'],
          ['GET', '/api/v1/senders'],
          ['GET', '/api/v1/me/export'],
        ],
        headers: [{ cookie: ada.cookie }],
        cutAfterMs: 20,
      }),
    ]));

  it('one account exports 50,000 emails in a loop', () =>
    othersServedDuring(() => [
      'flood',
      flood({
        requestsPerSecond: 20,
        requests: [['GET', '/api/v1/me/export']],
        headers: [{ cookie: ada.cookie }],
      }),
    ]));

  it('8 accounts start and cancel scans in a loop', () =>
    othersServedDuring(() => [
      'toggle-scans',
      { url: stack.api.url, cookies: attackers.map(({ cookie }) => cookie), addresses: ADDRESSES },
    ]));

  it('hundreds of sign-ins a second from many addresses are abandoned', () =>
    othersServedDuring(() => [
      'flood',
      flood({
        requestsPerSecond: SIGN_INS_PER_SECOND,
        requests: [['GET', '/auth/idp']],
        headers: [{}],
        isForwarded: true,
      }),
    ]));

  it('50 connections send 200 requests at once', () =>
    othersServedDuring(() => [
      'hold-connections',
      hold(50, {
        request: `GET /api/v1/me HTTP/1.1\r\nhost: x\r\ncookie: ${ada.cookie}\r\n\r\n`.repeat(100),
      }),
    ]));

  it('1,000 bodies arrive in pieces of a byte a second', () =>
    othersServedDuring(() => [
      'hold-connections',
      hold(1_000, {
        request: `POST /api/v1/inbox/actions HTTP/1.1\r\nhost: x\r\ncookie: ${ada.cookie}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
        drip: '1\r\n \r\n',
      }),
    ]));

  it('2,000 connections send nothing', () =>
    othersServedDuring(() => ['hold-connections', hold(2_000, { request: '' })]));

  const flood = (changes: Partial<Launch[1]> & object) => ({
    port: Number(new URL(stack.api.url).port),
    parallel: 400,
    addresses: ADDRESSES,
    requests: [['GET', '/api/v1/me']] as [string, string][],
    headers: [{}],
    requestsPerSecond: 100,
    ...changes,
  });
  const hold = (connections: number, changes: { request: string; drip?: string }) => ({
    port: Number(new URL(stack.api.url).port),
    connections,
    connectionsPerSecond: 1_000,
    addresses: ADDRESSES,
    reads: true,
    reopenAfterMs: 500,
    ...changes,
  });
  const asAll = (headers: Record<string, string>) => attackers.map(({ cookie }) => ({ ...headers, cookie }));

  const othersServedDuring = async (describeAttack: () => Launch): Promise<void> => {
    explainFailure(stack);
    let counts = {};
    const report = await measureOthers({ api: stack.api, others, row }, async () => {
      const attack = await launchAttack(...describeAttack());
      await sleep(ATTACK_MS);
      counts = await attack.stop();
    });
    onTestFailed(() => void process.stderr.write(`${JSON.stringify(counts)}\n`));
    expectOthersServed(report);
  };

  let stack: FaultStack;
  let ada: User;
  let attackers: User[];
  let programs: User[];
  let others: User[];
  beforeAll(async () => {
    const emails = Array.from({ length: ATTACKERS }, (_, index) => `attacker-${index}@example.com`);
    ({ stack, ada, others } = await startWithOthers({
      mail: Object.fromEntries(emails.map((email) => [email, mails(100, email)])),
      workers: 1,
      apiEnv: { TRUST_PROXY_HOPS: '1', API_RATE_LIMIT_PER_MINUTE: '600', AUTH_RATE_LIMIT_PER_MINUTE: '1000' },
    }));
    attackers = [];
    programs = [];
    for (const email of emails) {
      attackers.push(await stack.signIn(email));
      programs.push(await stack.signInProgram(email));
    }
    await cacheMails(stack, ada.userId, EXPORTED_MAILS);
  });
});
