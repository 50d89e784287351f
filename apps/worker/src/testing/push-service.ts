import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { type PushMessage, PushMessageSchema } from '@mailsweep/contracts';
import type { PushConfig } from '@mailsweep/service-kit';
import jwt from 'jsonwebtoken';
import { PUSH_CERTIFICATE, PUSH_CERTIFICATE_KEY } from './push-certificate.ts';

export { PUSH_CERTIFICATE };

interface ReceivedMessage {
  /** The browser that it is for. */
  browser: string;
  message: PushMessage;
  headers: IncomingHttpHeaders;
}

/** A browser that has subscribed: it alone reads its messages. */
const createBrowser = () => {
  const keyPair = createECDH('prime256v1');
  keyPair.generateKeys();
  return { keyPair, auth: randomBytes(16) };
};
type Browser = ReturnType<typeof createBrowser>;

/** A pair of VAPID keys. */
export const createVapidConfig = (): PushConfig => {
  const keyPair = createECDH('prime256v1');
  keyPair.generateKeys();
  const privateKey = Buffer.concat([Buffer.alloc(32), keyPair.getPrivateKey()]).subarray(-32);
  return {
    publicKey: keyPair.getPublicKey('base64url'),
    privateKey: privateKey.toString('base64url'),
    subject: 'mailto:operator@example.com',
    allowPrivateAddresses: true,
  };
};

/** Decrypts a message as a browser does (RFC 8291), written from the RFC, apart from the library that encrypts. */
const decrypt = ({ keyPair, auth }: Browser, body: Buffer): string => {
  const salt = body.subarray(0, 16);
  const senderKey = body.subarray(21, 21 + body.readUInt8(20));
  const record = body.subarray(21 + senderKey.length);
  const derive = (secret: Buffer, from: Buffer, info: Buffer, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, from, info, bytes));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keyPair.getPublicKey(), senderKey]);
  const secret = derive(keyPair.computeSecret(senderKey), auth, info, 32);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString();
};

/** Verifies who sent a message (RFC 8292). @throws when it was not sent by the holder of the VAPID key */
const verifyVapid = (
  authorization: string | undefined,
  { publicKey, subject }: PushConfig,
  audience: string,
) => {
  const [, token = '', key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization ?? '') ?? [];
  if (key !== publicKey) throw new Error('another VAPID key');
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const claims = jwt.verify(
    token,
    createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' } }),
    { algorithms: ['ES256'], audience },
  );
  if (typeof claims === 'string' || claims.sub !== subject) throw new Error('another subject');
  if ((claims.exp ?? 0) > Date.now() / 1_000 + 86_400) throw new Error('it expires too late');
};

/** Most that a push service has to take (RFC 8030, 7.2). */
const MAX_BODY_BYTES = 4_096;

/** `TTL` is required, and above 0 at Microsoft; Apple decodes `Topic`. */
const checkHeaders = ({
  ttl = '',
  topic = '',
}: IncomingHttpHeaders & { ttl?: string; topic?: string }): void => {
  if (!/^[1-9]\d*$/.test(ttl)) throw new Error('no TTL');
  if (!/^[\w-]{1,32}$/.test(topic) || topic.length % 4 === 1) throw new Error('a bad topic');
};

/**
 * A push service with browsers: it refuses messages that are not signed as RFC 8292 says, that it cannot decrypt for the
 * browser, and whose size or headers real ones refuse (docs/PUSH.md).
 */
export const startPushService = async (vapid: PushConfig) => {
  const browsers = new Map<string, Browser>();
  const received: ReceivedMessage[] = [];
  let respond: (response: ServerResponse, browser: string) => unknown = (response) =>
    response.writeHead(201).end();
  const server = createServer(
    { key: PUSH_CERTIFICATE_KEY, cert: PUSH_CERTIFICATE },
    async (request, response) => {
      const name = request.url?.slice('/push/'.length) ?? '';
      const browser = browsers.get(name);
      if (browser === undefined) return void response.writeHead(404).end();
      const body = await buffer(request);
      if (body.length > MAX_BODY_BYTES) return void response.writeHead(413).end();
      try {
        checkHeaders(request.headers);
        verifyVapid(request.headers.authorization, vapid, origin);
        const message = PushMessageSchema.parse(JSON.parse(decrypt(browser, body)));
        received.push({ browser: name, message, headers: request.headers });
      } catch (error) {
        return void response.writeHead(400).end(String(error));
      }
      respond(response, name);
    },
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, PUSH_CERTIFICATE]);

  return {
    received,
    /** What the browser shows: the last message of each tag. */
    shown: (browser: string) => [
      ...new Map(
        received.filter((one) => one.browser === browser).map(({ message }) => [message.tag, message]),
      ).values(),
    ],
    /** Subscribes a browser; returns what its `PushSubscription.toJSON()` would. */
    subscribe(name: string) {
      const browser = createBrowser();
      browsers.set(name, browser);
      return {
        endpoint: `${origin}/push/${name}`,
        expirationTime: null,
        keys: {
          p256dh: browser.keyPair.getPublicKey('base64url'),
          auth: browser.auth.toString('base64url'),
        },
      };
    },
    onMessage(next: typeof respond) {
      respond = next;
    },
    async close() {
      setDefaultCACertificates(trusted);
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
export type PushService = Awaited<ReturnType<typeof startPushService>>;
