import { createHash } from 'node:crypto';
import type { Header } from '../mailbox/mime.ts';

export type WayOut =
  /** RFC 8058, with a `mailto:` as well. */
  | 'one_click'
  /** The headers of RFC 8058, but the signature does not hold, as after a mailing list has changed the text. */
  | 'broken_signature'
  | 'mailto'
  | 'link'
  /** An http address without encryption, as old systems have it. */
  | 'old_link';

const SIGNED = 'from:to:subject:date:message-id:mime-version:list-unsubscribe:list-unsubscribe-post';

/** A placeholder for a signature, as long as a real one. */
const toDigest = (text: string): string => createHash('sha512').update(text).digest('base64');

const listHeaders = (
  way: WayOut,
  { host, token, origin }: { host: string; token: string; origin: string },
): Header[] => {
  const page = `${origin}/u/${token}`;
  const mailto = `mailto:leave-${token.slice(0, 12)}@${host}?subject=unsubscribe`;
  const post = { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' };
  switch (way) {
    case 'one_click':
    case 'broken_signature':
      return [{ name: 'List-Unsubscribe', value: `<${page}>,\r\n <${mailto}>` }, post];
    case 'mailto':
      return [{ name: 'List-Unsubscribe', value: `<${mailto}>` }];
    case 'link':
      return [{ name: 'List-Unsubscribe', value: `<${page}>` }];
    case 'old_link':
      return [{ name: 'List-Unsubscribe', value: `<http://${host}/cgi-bin/leave?u=${token}>` }];
  }
};

/**
 * The headers of a message of bulk mail: how to unsubscribe (RFC 2369, RFC 8058), a signature (RFC 6376, RFC 8463), and on top what
 * Gmail found out about it (RFC 8601, in the form that Gmail's "Show original" has). Mailing lists leave a result of their
 * own below.
 *
 * @param options.from - the From header
 * @param options.origin - where one-click addresses lead; to a server of the sender when left out
 * @param options.name - tells the messages of a sender apart
 */
export const toListHeaders = (options: {
  way: WayOut;
  from: string;
  name: string;
  origin: string | undefined;
}): Header[] => {
  const { way, from, name } = options;
  const host = from.match(/@([\w.-]+)/)?.[1] ?? 'news.example';
  const token = createHash('sha256').update(`${from}\n${name}`).digest('hex').slice(0, 32);
  const digest = toDigest(token);
  const dkim = way === 'broken_signature' ? 'dkim=neutral (body hash did not verify)' : 'dkim=pass';
  const results = (service: string, result: string): Header => ({
    name: 'Authentication-Results',
    value: `${service};\r\n       ${result} header.i=@${host} header.s=k1 header.b="${digest.slice(0, 8)}";\r\n       spf=pass (google.com: domain of bounce@${host} designates 192.0.2.10 as permitted sender) smtp.mailfrom=bounce@${host};\r\n       dmarc=pass (p=NONE sp=NONE dis=NONE) header.from=${host}`,
  });
  return [
    results('mx.google.com', dkim),
    ...(way === 'broken_signature' ? [results(`lists.${host}`, 'dkim=pass')] : []),
    {
      name: 'DKIM-Signature',
      value: `v=1; a=ed25519-sha256; c=relaxed/relaxed; d=${host}; s=k1;\r\n        h=${SIGNED};\r\n        bh=${digest.slice(-44)};\r\n        b=${digest}`,
    },
    ...listHeaders(way, { host, token, origin: options.origin ?? `https://mail.${host}` }),
  ];
};
