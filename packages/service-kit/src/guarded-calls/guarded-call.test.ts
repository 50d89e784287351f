import { once } from 'node:events';
import http, { type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenOnLoopback } from '../http/http-server.ts';
import { createGuardedCall } from './guarded-call.ts';

describe('a guarded call', () => {
  it('posts body and headers and returns the status', async () => {
    const receiver = await startReceiver(respondWith(202));
    expect(await postTo(receiver.url)).toMatchObject({ status: 202, retryAfterMs: undefined });
    expect(receiver.calls).toMatchObject([{ body: CALL.body, path: '/hook', headers: CALL.headers }]);
  });

  it.each([301, 302, 307, 308])('does not follow a redirect (%i)', async (status) => {
    const elsewhere = await startReceiver();
    const receiver = await startReceiver((response) => {
      response.writeHead(status, { location: elsewhere.url }).end();
    });
    expect((await postTo(receiver.url)).status).toBe(status);
    expect(elsewhere.calls).toEqual([]);
  });

  it('makes one attempt only: retries are the queue’s business', async () => {
    const receiver = await startReceiver(respondWith(500));
    expect((await postTo(receiver.url)).status).toBe(500);
    expect(receiver.calls).toHaveLength(1);
  });

  it('is aborted when no response comes in time', async () => {
    const receiver = await startReceiver(() => undefined);
    await expect(postTo(receiver.url, { timeoutMs: 100 })).rejects.toMatchObject({ code: 'timeout' });
  });

  it('outlives its time limit when the receiver responds before it has read the request', async () => {
    const server = http.createServer((_request, response) => void response.writeHead(200).end('ok'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => server.closeAllConnections());
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const ended = once(AbortSignal.timeout(3_200), 'abort');
    // More than the buffers of two sockets hold.
    const post = createGuardedCall({
      peer: 'test',
      policy: { allowPrivate: true },
      keepsConnections: false,
      timeoutMs: 2_000,
    });
    const { status } = await post(url, { headers: {}, body: Buffer.alloc(20 * MEGABYTE) });
    expect(status).toBe(200);
    // An error without a listener fails the run.
    await ended;
  });

  it('returns the status when the body never ends', async () => {
    const receiver = await startReceiver((response) => void response.writeHead(200).write('begin'));
    expect((await postTo(receiver.url, { timeoutMs: 1_000 })).status).toBe(200);
  });

  it('reads at most about 20 kB of an endless response, then closes the connection', async () => {
    const flood = { sentBytes: 0, cut: Promise.resolve<unknown>(undefined) };
    const receiver = await startReceiver((response) => {
      flood.cut = once(response, 'close');
      pourOut(response, (byteCount) => {
        flood.sentBytes += byteCount;
      });
    });
    expect((await postTo(receiver.url)).status).toBe(200);
    await flood.cut;
    // The rest of what was sent is in the buffers of the two sockets.
    expect(flood.sentBytes).toBeLessThan(16 * MEGABYTE);
  });

  it('fails with a code when the receiver is down, without its address', async () => {
    const receiver = await startReceiver();
    await receiver.close();
    await expect(postTo(receiver.url)).rejects.toMatchObject({
      code: 'ECONNREFUSED',
      message: 'the call failed: ECONNREFUSED',
    });
  });

  it('reports a connection that is reset', async () => {
    const receiver = await startReceiver((response) => void response.socket?.resetAndDestroy());
    await expect(postTo(receiver.url)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('does not go to a metadata address, neither from the URL nor by look-up', async () => {
    await expect(postTo('http://169.254.169.254/latest')).rejects.toMatchObject({ code: 'address_refused' });
    const post = createGuardedCall({
      peer: 'test',
      keepsConnections: true,
      policy: { allowPrivate: true },
      resolveAll: (_name, _options, done) => done(null, [{ address: '169.254.169.254', family: 4 }]),
    });
    await expect(post('http://metadata.example.com/', CALL)).rejects.toMatchObject({
      code: 'address_refused',
    });
  });

  it('does not go to a private address when those are switched off', async () => {
    const receiver = await startReceiver();
    await expect(postTo(receiver.url, { allowPrivate: false })).rejects.toMatchObject({
      code: 'address_refused',
    });
    const byName = receiver.url.replace('127.0.0.1', 'localhost');
    await expect(postTo(byName, { allowPrivate: false })).rejects.toMatchObject({ code: 'address_refused' });
    expect(receiver.calls).toEqual([]);
  });

  it('ignores a proxy from the environment, which would look the name up unguarded', async () => {
    const [receiver, proxy] = [await startReceiver(), await startReceiver()];
    // What NODE_USE_ENV_PROXY does at start.
    const direct = http.globalAgent;
    onTestFinished(() => {
      http.globalAgent = direct;
    });
    http.globalAgent = new http.Agent({ proxyEnv: { HTTP_PROXY: new URL(proxy.url).origin } });

    expect((await postTo(receiver.url)).status).toBe(204);
    expect(receiver.calls).toHaveLength(1);
    expect(proxy.calls).toEqual([]);
  });

  it('goes to the address that was checked, whatever the name says elsewhere', async () => {
    const receiver = await startReceiver();
    const post = createGuardedCall({
      peer: 'test',
      keepsConnections: true,
      policy: { allowPrivate: true },
      resolveAll: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
    });
    const url = receiver.url.replace('127.0.0.1', 'hooks.example.com');
    expect((await post(url, CALL)).status).toBe(204);
    expect(receiver.calls).toHaveLength(1);
  });
});

const MEGABYTE = 2 ** 20;
const CALL = { headers: { 'content-type': 'application/json', 'webhook-id': 'event-1' }, body: '{"a":1}' };

/** Writes a gigabyte, as fast as the client reads. */
const pourOut = (response: ServerResponse, onSent: (byteCount: number) => void): void => {
  const chunk = Buffer.alloc(MEGABYTE / 16);
  let chunksLeft = 1_024 * 16;
  const pour = () => {
    for (let goesOn = true; goesOn && chunksLeft > 0; chunksLeft -= 1) {
      goesOn = response.write(chunk);
      onSent(chunk.length);
    }
  };
  response.writeHead(200);
  response.on('drain', pour);
  pour();
};

const respondWith = (status: number) => (response: ServerResponse) => void response.writeHead(status).end();

const startReceiver = async (respond = respondWith(204)) => {
  const calls: { path: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = await listenOnLoopback(async (request, response) => {
    calls.push({ path: request.url, headers: request.headers, body: await text(request) });
    response.on('error', () => response.destroy());
    respond(response);
  }, 0);
  onTestFinished(() => server.close());
  return { url: `${server.url}/hook`, calls, close: server.close };
};

const postTo = (url: string, options: { timeoutMs?: number; allowPrivate?: boolean } = {}) => {
  const { allowPrivate = true, ...rest } = options;
  return createGuardedCall({ peer: 'test', policy: { allowPrivate }, keepsConnections: true, ...rest })(
    url,
    CALL,
  );
};
