import { beforeAll, describe, expect, it } from 'vitest';
import { ask } from './harness/ask.ts';
import { openRow } from './harness/campaign.ts';
import { explainFailure, type FaultStack, startFaultStack } from './harness/fault-stack.ts';

const LIMIT = 1;
/** Failures follow from the sign-ins. */
const FAILURES = 10 * LIMIT;
/** What each limit per address applies to, and the status of a request within it. */
const LIMITED = [
  { path: '/auth/idp', within: 302, limit: LIMIT },
  { path: '/api/v1/me', within: 401, limit: FAILURES },
  { path: '/api/v1/health/db', within: 200, limit: FAILURES },
];

/** Ways in which a proxy may name one client. */
const ONE_CLIENT: Record<string, string[]> = {
  '200 addresses of one IPv6 /64': Array.from(
    { length: 200 },
    (_, index) => `2001:db8:0:1:${index.toString(16)}::${index.toString(16)}`,
  ),
  'four spellings of one IPv6 address': [
    '2001:db8:0:2::1',
    '2001:DB8:0:2::1',
    '2001:0db8:0000:0002:0000:0000:0000:0001',
    '2001:db8:0:2:0:0:0.0.0.1',
  ],
  'an IPv4 address, also as an IPv6 address': [
    '192.0.2.3',
    '::ffff:192.0.2.3',
    '::FFFF:C000:203',
    '0:0:0:0:0:ffff:192.0.2.3',
  ],
  'an address with changing ports': Array.from({ length: 20 }, (_, index) => `192.0.2.4:${40_000 + index}`),
  'an IPv6 address with changing ports': Array.from(
    { length: 20 },
    (_, index) => `[2001:db8:0:5::1]:${40_000 + index}`,
  ),
  'addresses that the client made up in front of its own': Array.from(
    { length: 20 },
    (_, index) => `203.0.113.${index}, 192.0.2.6`,
  ),
};

const row = openRow('R39');

describe('R39 behind one trusted proxy, one client for every limit', () => {
  it.each(Object.entries(ONE_CLIENT))('%s', async (_name, addresses) => {
    explainFailure(stack);
    // More than any of the limits.
    const sent = Array.from({ length: 200 }, (_, index) => addresses[index % addresses.length] as string);
    for (const { path, within, limit } of LIMITED) {
      const statuses: number[] = [];
      for (const address of sent) {
        const reply = await ask(`${stack.api.url}${path}`, { headers: { 'x-forwarded-for': address } });
        statuses.push(reply.status);
        row.responded(reply.tookMs);
      }
      row.ran(sent.length);
      const expected = sent.map((_address, index) => (index < limit ? within : 429));
      expect({ path, statuses }).toEqual({ path, statuses: expected });
    }
  });

  it('other networks are other clients', async () => {
    explainFailure(stack);
    const addresses = Array.from({ length: 50 }, (_, index) => `2001:db8:1:${index.toString(16)}::1`);
    for (const { path, within } of LIMITED) {
      const replies = await Promise.all(
        addresses.map((address) =>
          ask(`${stack.api.url}${path}`, { headers: { 'x-forwarded-for': address } }),
        ),
      );
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([within]));
    }
    row.ran(addresses.length);
  });

  let stack: FaultStack;
  beforeAll(async () => {
    stack = await startFaultStack({
      workers: 0,
      apiEnv: {
        TRUST_PROXY_HOPS: '1',
        AUTH_RATE_LIMIT_PER_MINUTE: String(LIMIT),
      },
    });
  });
});
