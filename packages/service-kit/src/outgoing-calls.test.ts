import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import got from 'got';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { exchange } from './http-client/http-exchange.ts';
import { type OutgoingCall, observeOutgoingCalls, onBehalfOf } from './outgoing-calls.ts';
import { inHttpCall } from './tracing/index.ts';

const RESPONSE = 'x'.repeat(5_000);
const server = createServer((request, response) => {
  request.resume().on('end', () => response.end(RESPONSE));
});
let host: string;
let stop: () => void;
const calls: OutgoingCall[] = [];

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  stop = observeOutgoingCalls((call) => calls.push(call));
});
afterAll(() => {
  stop();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  calls.length = 0;
});

/** The only call that was observed. */
const theCall = () =>
  vi.waitFor(() => {
    expect(calls).toHaveLength(1);
    return calls[0];
  });

const request = () => ({
  peer: 'gmail',
  template: '/a',
  method: 'GET' as const,
  url: new URL(`http://${host}/a`),
  headers: {},
  timeoutMs: 5_000,
  maxResponseBytes: 10_000,
});

describe('observing outgoing calls', () => {
  it('names user, service and host, with the sizes of what went either way', async () => {
    await onBehalfOf('u1', () =>
      exchange({ ...request(), method: 'POST', body: { text: 'y'.repeat(1_000) } }),
    );
    const call = await theCall();
    expect(call).toMatchObject({ userId: 'u1', peer: 'gmail', host });
    expect(call?.bytesSent).toBeGreaterThan(1_000);
    expect(call?.bytesReceived).toBeGreaterThan(RESPONSE.length);
  });

  it('sees the calls of fetch, too', async () => {
    await onBehalfOf('u2', () =>
      inHttpCall({ method: 'POST', peer: 'identity-provider' }, async () => {
        const response = await fetch(`http://${host}/token`, { method: 'POST', body: 'z'.repeat(300) });
        await response.text();
      }),
    );
    const call = await theCall();
    expect(call).toMatchObject({ userId: 'u2', peer: 'identity-provider', host });
    expect(call?.bytesSent).toBeGreaterThan(300);
    expect(call?.bytesReceived).toBeGreaterThanOrEqual(RESPONSE.length);
  });

  it('sees a call that no code has named', async () => {
    await got(`http://${host}/`).text();
    expect(await theCall()).toMatchObject({ userId: null, peer: 'unknown', host });
  });

  it('counts each of several calls over one connection by itself', async () => {
    const first = await onBehalfOf('u3', async () => {
      await exchange(request());
      return await theCall();
    });
    await exchange(request());
    await vi.waitFor(() => expect(calls).toHaveLength(2));
    expect(calls[1]).toMatchObject({ userId: null, bytesReceived: first?.bytesReceived });
  });

  it('leaves out a call that reached nobody', async () => {
    const nobody = createServer();
    await once(nobody.listen(0, '127.0.0.1'), 'listening');
    const { port } = nobody.address() as AddressInfo;
    nobody.close();
    await expect(exchange({ ...request(), url: new URL(`http://127.0.0.1:${port}/`) })).rejects.toThrow();
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
    await exchange(request());
    expect(await theCall()).toMatchObject({ host });
  });
});
