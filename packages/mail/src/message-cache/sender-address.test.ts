import { createSecretKey, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { isGroupKey, toSenderAddress, toSenderKey, toSenderKeys } from './sender-address.ts';

const KEY = createSecretKey(Buffer.alloc(32, 1));
const USER = randomUUID();
const keyOf = (name: string) => toSenderKey(KEY, USER, name);

test.each([
  ['Shop <News@Shop.example>', 'news@shop.example'],
  ['"a <b@c.example> d" <news@shop.example>', 'news@shop.example'],
  ['A <a@shop.example>, b@other.example', 'a@shop.example'],
  ['post@Bücher.example', 'post@xn--bcher-kva.example'],
  ['Shop <>', 'shop <>'],
  ['@shop.example', '@shop.example'],
  ['', ''],
])('the address by which emails belong together: of %j it is %j', (from, address) => {
  expect(toSenderAddress(from)).toBe(address);
});

test('an email is under the keys of its first author and of its list, and protected by the names of all', () => {
  const keys = toSenderKeys(KEY, USER, {
    from: 'A <a@shop.example>, b@Other.example',
    isSenderUnclear: false,
    listAddress: 'Offers@lists.example',
  });
  expect(keys).toEqual({
    senderKey: keyOf('a@shop.example'),
    nameKeys: ['@shop.example', 'b@other.example', '@other.example'].map(keyOf),
    listKey: keyOf('offers@lists.example'),
  });
});

test('an email of an unclear sender is under no key', () => {
  const from = 'Ada <boss@shop.example>';
  expect(toSenderKeys(KEY, USER, { from, isSenderUnclear: true, listAddress: undefined })).toEqual({
    senderKey: '',
    nameKeys: [],
    listKey: null,
  });
});

test.each([
  ['domain:shop.example', true],
  ['list:offers@shop.example', true],
  ['unlisted:ada@shop.example', true],
  ['offers@shop.example', false],
  ['@shop.example', false],
  ['list <offers@shop.example>', false],
])('the key of %s says whether it is that of a group: %s', (name, isGroup) => {
  expect(isGroupKey(keyOf(name))).toBe(isGroup);
});
