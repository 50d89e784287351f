import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ask } from './harness/ask.ts';
import { byForm, eventually, machineSlackMs, openRow } from './harness/campaign.ts';
import { ADA, explainFailure, type FaultStack, startFaultStack, type User } from './harness/fault-stack.ts';
import { mails } from './harness/google.ts';
import { INSPECTED, openInspector } from './harness/process-inspector.ts';

const IDLE_SOCKETS = 2_000;
const SLOW_CLIENTS = 50;
const GONE_CLIENTS = byForm(60, 600);
/** By when a request that does not end is cut, in milliseconds: its time, and that until the next check. */
const CUT_MS = 12_000;
const SERVED_WITHIN_MS = 1_000;
const HEAP_GROWTH_BYTES = 20 * 1024 * 1024;
const DRIP_MS = 500;
/** As many connections wait to be taken without one being forgotten, of which its client would never hear. */
const SOCKETS_AT_ONCE = 200;
/** So many connections come from one address: fewer than one may have. */
const SOCKETS_PER_ADDRESS = 200;

type Inspector = Awaited<ReturnType<typeof openInspector>>;

const row = openRow('R16');

describe('R16 clients that are slow, idle or gone', () => {
  it('send their headers byte by byte: cut on time, others served meanwhile', async () => {
    explainFailure(stack);
    const sockets = await openSockets(SLOW_CLIENTS);
    const startedMs = performance.now();
    const cut = Promise.all(
      sockets.map((socket) => drip(socket, 'GET /api/v1/health HTTP/1.1\r\nhost: x\r\nx-slow: ', 'a')),
    );
    await expectServedUntil(cut);
    expect(performance.now() - startedMs).toBeLessThan(CUT_MS + machineSlackMs() * 3);
    row.ran(SLOW_CLIENTS);
    await expectNoLeak();
  });

  it.runIf(byForm(false, true))('send their body byte by byte: cut on time', async () => {
    explainFailure(stack);
    const sockets = await openSockets(SLOW_CLIENTS);
    const startedMs = performance.now();
    const head = `POST /api/v1/inbox/actions HTTP/1.1\r\nhost: x\r\ncookie: ${ada.cookie}\r\ncontent-type: application/json\r\ncontent-length: 9999\r\n\r\n`;
    const cut = Promise.all(sockets.map((socket) => drip(socket, head, ' ')));
    await expectServedUntil(cut);
    expect(performance.now() - startedMs).toBeLessThan(CUT_MS + machineSlackMs() * 3);
    row.ran(SLOW_CLIENTS);
    await expectNoLeak();
  });

  it('say nothing at all, 2,000 of them: others are served, and no one stays', async () => {
    explainFailure(stack);
    const sockets = await openSockets(IDLE_SOCKETS);
    const ended = Promise.all(sockets.map(toEnd));
    await expectServedUntil(ended);
    row.ran(IDLE_SOCKETS);
    await expectNoLeak();
  });

  it('disconnect in the middle of a response: nothing of them is left', async () => {
    explainFailure(stack);
    for (const link of stack.links('gmail')) link.delay(200);
    const asked = Buffer.from(
      `GET /api/v1/emails?pageSize=100 HTTP/1.1\r\nhost: x\r\ncookie: ${ada.cookie}\r\n\r\n`,
    );
    for (let gone = 0; gone < GONE_CLIENTS; gone += 20) {
      const sockets = await openSockets(20);
      for (const socket of sockets) socket.write(asked);
      await sleep(100);
      for (const [index, socket] of sockets.entries()) {
        if (index % 2 === 0) socket.destroy();
        else socket.resetAndDestroy();
      }
      row.ran(sockets.length);
    }
    for (const link of stack.links('gmail')) link.heal();
    // Until the work for them is done, others may be told to come back: the row's limit for one user takes in all slots.
    await eventually(async () => expect((await ada.ask('/api/v1/emails')).status).toBe(200));
    await expectNoLeak();
    const errors = stack.readLogs().filter((line) => /"level":[56]0/.test(line));
    expect(errors.filter((line) => !line.includes('"statusCode":503'))).toEqual([]);
  });

  /** Asks now and then until the promise settles. */
  const expectServedUntil = async (work: Promise<unknown>): Promise<void> => {
    let isDone = false;
    const watched = work.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      const response = await ada.ask('/api/v1/me');
      row.responded(response.tookMs);
      expect(response.status).toBe(200);
      expect(response.tookMs).toBeLessThan(SERVED_WITHIN_MS + machineSlackMs());
      await Promise.race([watched, sleep(500)]);
    }
    await watched;
  };

  /** Sockets and memory are as they were before, give or take what a pool keeps. */
  const expectNoLeak = () =>
    eventually(async () => {
      const after = await inspector.measure();
      expect(after.handles.TCPSocketWrap ?? 0).toBeLessThanOrEqual((before.handles.TCPSocketWrap ?? 0) + 5);
      expect(after.heapBytes - before.heapBytes).toBeLessThan(HEAP_GROWTH_BYTES);
    });

  const openSockets = async (count: number): Promise<Socket[]> => {
    const sockets: Socket[] = [];
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    while (sockets.length < count) {
      const some = Array.from({ length: Math.min(SOCKETS_AT_ONCE, count - sockets.length) }, (_, index) =>
        connect({
          host: '127.0.0.1',
          port: Number(new URL(stack.api.url).port),
          localAddress: `127.0.1.${1 + Math.floor((sockets.length + index) / SOCKETS_PER_ADDRESS)}`,
        }),
      );
      sockets.push(...some);
      for (const socket of some) {
        socket.on('error', () => socket.destroy());
        // Unread bytes would keep the end of the connection from being seen.
        socket.resume();
      }
      await Promise.all(some.map((socket) => (socket.connecting ? once(socket, 'connect') : undefined)));
      // Connections are taken in the order in which they come.
      expect((await ask(`${stack.api.url}/api/v1/health`)).status).toBe(200);
    }
    return sockets;
  };

  let stack: FaultStack;
  let ada: User;
  let inspector: Inspector;
  let before: Awaited<ReturnType<Inspector['measure']>>;
  beforeAll(async () => {
    stack = await startFaultStack({
      workers: 0,
      apiEnv: INSPECTED,
      mail: { [ADA]: mails(20) },
    });
    ada = await stack.signIn();
    inspector = await openInspector(stack.api);
    // Pools are full and code is compiled before anything is measured.
    for (let round = 0; round < 2; round += 1) {
      await Promise.all(Array.from({ length: 10 }, () => ada.ask('/api/v1/emails')));
    }
    return () => inspector.close();
  });
  beforeEach(async () => {
    expect((await ask(`${stack.api.url}/api/v1/health`)).status).toBe(200);
    before = await inspector.measure();
  });
});

/** A connection that is cut while its client writes ends with a reset, which `once` takes for a failure. */
const toEnd = (socket: Socket): Promise<void> =>
  new Promise((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve())));

/** Sends a beginning, and then one more byte now and then, until the connection is closed. */
const drip = async (socket: Socket, beginning: string, byte: string): Promise<void> => {
  socket.write(beginning);
  const timer = setInterval(() => socket.write(byte), DRIP_MS);
  await toEnd(socket);
  clearInterval(timer);
};
