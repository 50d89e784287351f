import type { SendPush, SendResult } from '@mailsweep/core';
import type { PushConfig } from '@mailsweep/service-kit';
import {
  createGuardedCall,
  GuardedCallError,
  type GuardedResponse,
} from '@mailsweep/service-kit/guarded-calls';
import webPush from 'web-push';

/** Of the body (RFC 8291). */
const ENCODING = 'aes128gcm';
/** How long a signature of ours is accepted; at most a day (RFC 8292). */
const TOKEN_TTL_S = 12 * 3_600;
/** For how long it is used: Apple wants none renewed more often than once an hour (web-push-libs/pywebpush#147). */
const TOKEN_USE_MS = 6 * 3_600_000;
/** Most push services that tokens are kept for; clients choose their addresses. */
const MAX_TOKENS = 100;
const TIMEOUT_MS = 10_000;

/** Wait: 429 (RFC 8030, 8.4), and 406 at Microsoft (web-push-libs/web-push-csharp#93). */
const THROTTLED_STATUSES = new Set([406, 429]);
/** Nobody will be there again. */
const GONE_STATUSES = new Set([404, 410]);

/**
 * Prepares sending to browsers (RFC 8030): encrypted for the browser (RFC 8291), signed for its push service (RFC 8292),
 * and only to public addresses, because the addresses come from clients.
 */
export const createSendPush = (config: PushConfig, now: () => Date): SendPush => {
  const post = createGuardedCall({
    policy: { allowPrivate: config.allowPrivateAddresses },
    peer: 'push',
    keepsConnections: true,
    timeoutMs: TIMEOUT_MS,
  });
  const sign = createSign(config, now);
  return async ({ endpoint, keys }, message, { ttlSeconds, isUrgent }) => {
    try {
      const response = await post(endpoint, {
        headers: {
          authorization: sign(endpoint),
          'content-type': 'application/octet-stream',
          'content-encoding': ENCODING,
          ttl: String(ttlSeconds),
          urgency: isUrgent ? 'high' : 'low',
          // At most 32 characters; a message that was not delivered yet is replaced.
          topic: message.tag.replaceAll('-', ''),
        },
        body: encryptFor(keys, JSON.stringify(message)),
      });
      return toResult(response);
    } catch (error) {
      if (!(error instanceof GuardedCallError)) throw error;
      // An address that may not be called will not be there again.
      const isGone = error.code === 'address_refused';
      return isGone ? { outcome: 'gone' } : { outcome: 'retry', retryAfterMs: undefined };
    }
  };
};

const toResult = ({ status, retryAfterMs }: GuardedResponse): SendResult => {
  if (status >= 200 && status <= 299) return { outcome: 'accepted' };
  if (GONE_STATUSES.has(status)) return { outcome: 'gone' };
  if (!THROTTLED_STATUSES.has(status) && status < 500) return { outcome: 'refused', status };
  return { outcome: 'retry', retryAfterMs };
};

const encryptFor = ({ p256dh, auth }: Parameters<SendPush>[0]['keys'], text: string): Buffer =>
  webPush.encrypt(p256dh, auth, text, ENCODING).cipherText;

const createSign = ({ publicKey, privateKey, subject }: PushConfig, now: () => Date) => {
  const kept = new Map<string, { header: string; untilMs: number }>();
  return (endpoint: string): string => {
    const { origin } = new URL(endpoint);
    const known = kept.get(origin);
    if (known !== undefined && known.untilMs > now().getTime()) return known.header;
    const expiresAt = Math.floor(now().getTime() / 1_000) + TOKEN_TTL_S;
    const { Authorization: header } = webPush.getVapidHeaders(
      origin,
      subject,
      publicKey,
      privateKey,
      ENCODING,
      expiresAt,
    );
    if (kept.size >= MAX_TOKENS) kept.clear();
    kept.set(origin, { header, untilMs: now().getTime() + TOKEN_USE_MS });
    return header;
  };
};
