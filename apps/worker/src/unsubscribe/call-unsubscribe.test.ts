import type { ServerResponse } from 'node:http';
import type { ResolveAll } from '@mailsweep/service-kit/guarded-calls';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startListServer } from '../testing/list-server.ts';
import { startWebhookReceiver } from '../testing/webhook-receiver.ts';
import { createCallUnsubscribe } from './call-unsubscribe.ts';

const HOST = 'news.example';
const OPERATORS_OWN = { allowPrivate: true };
const PUBLIC_ONLY = { allowPrivate: false };

const toAddresses =
  (...addresses: string[]): ResolveAll =>
  (_name, _options, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

/** Calls a server of a sender that responds so. */
const callServer = async (respond?: (response: ServerResponse, number: number) => void, path = '/u?t=1') => {
  const server = await startListServer([HOST], respond);
  const call = createCallUnsubscribe({
    policy: OPERATORS_OWN,
    resolveAll: toAddresses('127.0.0.1'),
    certificateAuthority: server.certificate,
    timeoutMs: 2_000,
  });
  return { outcome: await call(`https://${HOST}:${server.port}${path}`), ...server };
};

describe('a one-click request', () => {
  it('is a POST as RFC 8058 has it, with nothing else that tells who sends it', async () => {
    const { outcome, requests } = await callServer();
    expect(outcome).toEqual({ kind: 'response', status: 200 });
    expect(requests).toEqual([
      {
        method: 'POST',
        path: '/u?t=1',
        body: 'List-Unsubscribe=One-Click',
        headers: {
          host: expect.stringMatching(/^news\.example:\d+$/),
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': '26',
          'user-agent': 'mailsweep',
          connection: 'close',
        },
      },
    ]);
  });

  it.each([301, 302, 303, 307, 308])(
    'follows no redirect (%i), and takes no cookie along',
    async (status) => {
      const elsewhere = await startWebhookReceiver();
      onTestFinished(() => elsewhere.close());
      const { outcome, requests } = await callServer((response) => {
        response.writeHead(status, { location: elsewhere.url, 'set-cookie': 'a=1' }).end();
      });
      expect(outcome).toEqual({ kind: 'response', status });
      expect(requests).toHaveLength(1);
      expect(elsewhere.calls).toEqual([]);
    },
  );

  it.each([404, 500])('reports a status of %i after one attempt', async (status) => {
    const { outcome, requests } = await callServer((response) => void response.writeHead(status).end());
    expect(outcome).toEqual({ kind: 'response', status });
    expect(requests).toHaveLength(1);
  });

  it('ends when no response comes in time', async () => {
    expect((await callServer(() => undefined)).outcome).toEqual({ kind: 'no_response' });
  });

  it('is not sent to a server whose certificate nobody has signed', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    const server = await startListServer([HOST]);
    const call = createCallUnsubscribe({ policy: OPERATORS_OWN, resolveAll: toAddresses('127.0.0.1') });
    expect(await call(`https://${HOST}:${server.port}/`)).toEqual({ kind: 'no_response' });
    expect(server.requests).toEqual([]);
  });

  it('is not sent to a server with the certificate of another one', async () => {
    const server = await startListServer(['other.example']);
    const call = createCallUnsubscribe({
      policy: OPERATORS_OWN,
      resolveAll: toAddresses('127.0.0.1'),
      certificateAuthority: server.certificate,
    });
    expect(await call(`https://${HOST}:${server.port}/`)).toEqual({ kind: 'unreachable' });
    expect(server.requests).toEqual([]);
  });

  it.each([
    '127.0.0.1',
    '10.0.0.1',
    '192.168.1.1',
    '172.16.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '::1',
    '::ffff:127.0.0.1',
    'fd00::1',
    'fe80::1',
    '64:ff9b::7f00:1',
  ])('is not sent where a name leads to %s', async (address) => {
    for (const resolveAll of [toAddresses(address), toAddresses('93.184.215.14', address)]) {
      const call = createCallUnsubscribe({ policy: PUBLIC_ONLY, resolveAll });
      expect(await call(`https://${HOST}/u`)).toEqual({ kind: 'address_refused' });
    }
  });

  it.each([
    'http://news.example/u',
    'https://user@news.example/u',
    'https://user:secret@news.example/u',
    'https://news.example:8443/u',
    'https://news.example:22/u',
    'https://93.184.215.14/u',
    'https://0x7f.1/u',
    'https://2130706433/u',
    'https://[::1]/u',
    'https://[2606:4700::1111]/u',
    'https://localhost/u',
    'https://пример.example/u',
    'https://news.example/ü',
    'https://news.example/a b',
    'https://news.example/\r\nhost: evil.example',
    `https://news.example/${'x'.repeat(2_048)}`,
    'https:news.example',
    'https:\\\\news.example',
    'ftp://news.example/u',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'mailto:off@news.example',
    '',
  ])('is never sent to %j, nor is its name looked up', async (url) => {
    const resolveAll = vi.fn(toAddresses('93.184.215.14'));
    const call = createCallUnsubscribe({ policy: PUBLIC_ONLY, resolveAll });
    expect(await call(url)).toEqual({ kind: 'address_refused' });
    expect(resolveAll).not.toHaveBeenCalled();
  });

  it('does not go to a metadata address, whatever the operator allows', async () => {
    const call = createCallUnsubscribe({ policy: OPERATORS_OWN, resolveAll: toAddresses('169.254.169.254') });
    expect(await call('https://169.254.169.254/u')).toEqual({ kind: 'address_refused' });
    expect(await call(`https://${HOST}/u`)).toEqual({ kind: 'address_refused' });
  });
});
