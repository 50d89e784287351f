import { describe, expect, test } from 'vitest';
import { readFrom } from './from-header.ts';

describe('the sender of an email', () => {
  test.each([
    ['x@evil.example (=?utf-8?Q?=3Cnews=40shop.example=3E?=)', '"<news@shop.example>" <x@evil.example>'],
    [
      '=?utf-8?Q?Shop_=3Cnews=40shop.example=3E?= <x@evil.example>',
      '"Shop <news@shop.example>" <x@evil.example>',
    ],
    ['news@shop.example (Shop News)', 'Shop News <news@shop.example>'],
    [' =?utf-8?B?w4RkYQ==?=\r\n =?utf-8?Q?_L=2E?= <Ada@Shop.Example>', 'Äda L. <Ada@Shop.Example>'],
    ['"=?utf-8?Q?Shop=2C_Inc?=" <news@shop.example>', '"Shop, Inc" <news@shop.example>'],
    ['A <a@shop.example>, B <b@other.example>', 'A <a@shop.example>, B <b@other.example>'],
    [`${'N'.repeat(600)} <news@shop.example>`, `${'N'.repeat(488)} <news@shop.example>`],
  ])('is clear in %j', (field, from) => {
    expect(readFrom([field])).toEqual({ from, isSenderUnclear: false });
  });

  test.each([
    [[], ''],
    [['Shop'], 'Shop'],
    [['boss@shop.example', 'x@evil.example'], 'boss@shop.example / x@evil.example'],
    [['x@shop.example', 'x@shop.example'], 'x@shop.example / x@shop.example'],
    [['"Shop <news@shop.example>"@evil.example'], '"Shop <news@shop.example>"@evil.example'],
    [['Ada <boss@shop.example> <x@evil.example>'], 'Ada <boss@shop.example> <x@evil.example>'],
    [['=?utf-8?Q?Support_=3Cinfo=40shop.example=3E?='], 'Support <info@shop.example>'],
    [['=?utf-8?Q?info=40shop.example?=, x@evil.example'], 'info@shop.example, x@evil.example'],
  ])('is unclear in %j', (fields, from) => {
    expect(readFrom(fields)).toEqual({ from, isSenderUnclear: true });
  });

  test('is unclear where not all authors can be stored', () => {
    const all = Array.from({ length: 40 }, (_, index) => `author${index}@shop.example`).join(', ');
    expect(readFrom([all]).isSenderUnclear).toBe(true);
  });
});
