import { expect, test } from 'vitest';
import { toSenderAddress } from './sender-address.ts';

test.each([
  ['news@shop.example', 'news@shop.example'],
  ['Shop <News@Shop.example>', 'news@shop.example'],
  ['  News@Shop.example ', 'news@shop.example'],
  ['Shop < news@shop.example >', 'news@shop.example'],
  ['"a <b@c.example> d" <news@shop.example>', 'news@shop.example'],
  ['<news@shop.example> (Shop)', 'news@shop.example'],
  ['Shop <>', ''],
  ['Shop <news@shop.example', 'shop <news@shop.example'],
  ['', ''],
])('the address in From: %j is %j', (from, address) => {
  expect(toSenderAddress(from)).toBe(address);
});
