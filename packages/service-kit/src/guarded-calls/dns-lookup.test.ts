import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { type AnswerDns, startDnsServer } from '../testing/dns-server.ts';
import { createDnsLookup } from './dns-lookup.ts';
import { createGuardedCall } from './guarded-call.ts';

const HOST = 'hooks.example.com';
const NO_SUCH_NAME = 3;
const SERVER_FAILED = 2;

test('names whose servers stay silent occupy no thread, and are given up', async () => {
  const { lookUp } = await setUp();
  let isOver = false;
  const lookUps = Array.from({ length: 20 }, (_, index) => lookUp(`d${index}.slow.test`));
  const all = Promise.allSettled(lookUps).finally(() => {
    isOver = true;
  });
  for (let round = 0; round < 8; round += 1) {
    await Promise.all([lookup('localhost'), readFile(new URL(import.meta.url))]);
  }
  expect(isOver).toBe(false);
  const startedMs = performance.now();
  const reasons = (await all).map((result) => result.status === 'rejected' && result.reason.code);
  expect(reasons).toEqual(Array(20).fill('ECANCELLED'));
  expect(performance.now() - startedMs).toBeLessThan(3_500);
});

test('all addresses of a name are found, behind aliases, too', async () => {
  const alias = { owner: HOST, value: 'edge.example.net' };
  const addresses: Record<string, string[]> = { A: ['192.0.2.7', '192.0.2.8'], AAAA: ['2001:db8::7'] };
  const { lookUp } = await setUp((_name, type) => [
    alias,
    ...(addresses[type] ?? []).map((value) => ({ owner: alias.value, value })),
  ]);
  expect(await lookUp(HOST)).toEqual([
    { address: '192.0.2.7', family: 4 },
    { address: '192.0.2.8', family: 4 },
    { address: '2001:db8::7', family: 6 },
  ]);
});

test('one family is enough', async () => {
  const { lookUp } = await setUp((_name, type) =>
    type === 'AAAA' ? [{ owner: HOST, value: '2001:db8::7' }] : SERVER_FAILED,
  );
  expect(await lookUp(HOST)).toEqual([{ address: '2001:db8::7', family: 6 }]);
});

test.each<[string, AnswerDns, string]>([
  ['there is no such name', () => NO_SUCH_NAME, 'ENOTFOUND'],
  ['it has no addresses', () => [], 'ENOTFOUND'],
  ['the servers fail', () => SERVER_FAILED, 'ESERVFAIL'],
  ['one of them may know it later', (_name, type) => (type === 'A' ? [] : SERVER_FAILED), 'ESERVFAIL'],
])('a look-up fails where %s', async (_case, answer, code) => {
  const { lookUp } = await setUp(answer);
  await expect(lookUp(HOST)).rejects.toMatchObject({ code });
});

test('names that the machine itself lists are found without the DNS, whatever their case', async () => {
  const { lookUp, server } = await setUp();
  expect(await lookUp('LocalHost')).toContainEqual({ address: '127.0.0.1', family: 4 });
  expect(server.questions).toEqual([]);
});

test('an IP address is not looked up', async () => {
  const { call, server } = await setUp();
  await expect(call('http://127.0.0.1:1/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(server.questions).toEqual([]);
});

test('a call goes to the address that was checked', async () => {
  const receiver = createServer((_request, response) => void response.writeHead(204).end());
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  onTestFinished(() => void receiver.close());
  const { port } = receiver.address() as AddressInfo;
  const answers: Record<string, string> = { A: '127.0.0.1' };
  const { call, server } = await setUp((owner, type) => {
    const value = answers[type];
    // The next question would get another answer.
    delete answers[type];
    return value === undefined ? [] : [{ owner, value }];
  });
  expect((await call(`http://${HOST}:${port}/`)).status).toBe(204);
  expect(server.questions).toHaveLength(2);
});

test.each(['169.254.169.254', '::ffff:169.254.169.254'])(
  'a name that leads to %s is not called, whatever its other family says',
  async (value) => {
    const { call } = await setUp((owner, type) => {
      if (type === 'A' && !value.includes(':')) return [{ owner, value }];
      if (type === 'AAAA' && value.includes(':')) return [{ owner, value }];
      return [{ owner, value: type === 'A' ? '127.0.0.1' : '::1' }];
    });
    await expect(call(`http://${HOST}:1/`)).rejects.toMatchObject({ code: 'address_refused' });
  },
);

const setUp = async (answer?: AnswerDns) => {
  const server = await startDnsServer(answer);
  onTestFinished(server.close);
  const resolveAll = createDnsLookup([server.address]);
  const call = createGuardedCall({
    policy: { allowPrivate: true },
    peer: 'test',
    keepsConnections: false,
    resolveAll,
  });
  return {
    server,
    lookUp: (name: string) => promisify(resolveAll)(name, { all: true }),
    call: (url: string) => call(url, { headers: {} }),
  };
};
