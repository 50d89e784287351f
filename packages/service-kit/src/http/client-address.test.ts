import { describe, expect, test } from 'vitest';
import { toClientKey, UNKNOWN_CLIENT } from './http-server.ts';

describe('R39: one client has one key', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    [' 192.0.2.1 ', '192.0.2.1'],
    ['192.0.2.1:567', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:C000:0201', '192.0.2.1'],
    ['[::ffff:192.0.2.1]:567', '192.0.2.1'],
    ['0:0:0:0:0:ffff:c000:201', '192.0.2.1'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2:0:0:0:1', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002:0000:0000:0000:0001', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::192.0.2.1', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::1]:567', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
  ])('%s is %s', (text, key) => {
    expect(toClientKey(text)).toBe(key);
  });

  test('other networks and other IPv4 addresses are other clients', () => {
    const texts = ['192.0.2.1', '192.0.2.2', '2001:db8:1:2::1', '2001:db8:1:3::1', '2001:db8:2:2::1'];

    expect(new Set(texts.map((text) => toClientKey(text))).size).toBe(texts.length);
  });
});

test.each([
  undefined,
  '',
  'unknown',
  '_hidden',
  '192.0.2.1:',
  '192.0.2.1.5',
  '[192.0.2.1',
  'example.com',
  '::1::',
])('R39: %j is no address, and all such clients share one key', (text) => {
  expect(toClientKey(text)).toBe(UNKNOWN_CLIENT);
});
