import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAuthors, toSenderName, toSenderNames, writeAuthors } from './sender-name.ts';

const toAddresses = (from: string): string[] => readAuthors(from).map(({ address }) => address);

describe('the authors in a From header', () => {
  test.each([
    ['news@shop.example', '', ['news@shop.example']],
    ['<News@Shop.Example>', '', ['news@shop.example']],
    ['  Shop\r\n\t< news@shop.example > ', 'Shop', ['news@shop.example']],
    ['"Shop, Inc." <news@shop.example>', 'Shop, Inc.', ['news@shop.example']],
    ['"Dr. \\"Ada\\" L." <ada@shop.example>', 'Dr. "Ada" L.', ['ada@shop.example']],
    ['Shop: Offers :) <news@shop.example>', 'Shop: Offers :)', ['news@shop.example']],
    ['Doe, Ada <ada@shop.example>', 'Doe, Ada', ['ada@shop.example']],
    ['news@shop.example (Shop (the) News)', 'Shop (the) News', ['news@shop.example']],
    ['(Shop) <news@shop.example>', 'Shop', ['news@shop.example']],
    ['Shop <news@shop.example> (offers)', 'Shop', ['news@shop.example']],
    ['x@evil.example (<news@shop.example>)', '<news@shop.example>', ['x@evil.example']],
    ['"news@shop.example" <x@evil.example>', 'news@shop.example', ['x@evil.example']],
    ['news@shop.example <x@evil.example>', 'news@shop.example', ['x@evil.example']],
    ['"a <b@c.example> d" <news@shop.example>', 'a <b@c.example> d', ['news@shop.example']],
    ['A <a@shop.example>, b@other.example', 'A', ['a@shop.example', 'b@other.example']],
    ['post@bücher.example', '', ['post@xn--bcher-kva.example']],
    ['"ada"@shop.example', '', ['ada@shop.example']],
    ['"ada lovelace"@shop.example', '', ['"ada lovelace"@shop.example']],
    ['cron@localhost (Cron)', 'Cron', ['cron@localhost']],
    ['a@[10.0.0.1]', '', ['a@[10.0.0.1]']],
    [`${'N'.repeat(600)} <news@shop.example>`, 'N'.repeat(600), ['news@shop.example']],
  ])('%j', (from, name, addresses) => {
    expect(toAddresses(from)).toEqual(addresses);
    expect(readAuthors(from)[0]?.name).toBe(name);
  });

  test.each([
    '',
    'mailer-daemon',
    'Shop <>',
    '"Shop <news@shop.example>"@evil.example',
    '"news@shop.example"@evil.example',
    'Ada <boss@shop.example> <x@evil.example>',
    'Ada <boss@shop.example> x@evil.example',
    'boss@shop.example x@evil.example',
    '"boss@shop.example"',
    'boss@shop.example, "x@evil.example"',
    'boss@shop.example, Shop',
    'Shop <boss@shop.example',
    'Shop (boss@shop.example',
    '"Shop <boss@shop.example>',
    'boss@shop(x).example',
    '<@evil.example:boss@shop.example>',
    'People: boss@shop.example, x@evil.example;',
    'a@b@shop.example',
    '=?utf-8?Q?boss?=@shop.example',
    'bo\u0000ss@shop.example',
    'boss\u200B@shop.example',
    `${'a'.repeat(330)}@shop.example`,
    `${'N'.repeat(20_000)} <boss@shop.example>`,
  ])('are unclear in %j', (from) => {
    expect(toAddresses(from)).toEqual([]);
  });

  test('are never taken from a name or a comment, whatever they hold', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '(',
      ')',
      '"',
      '\\',
      ',',
      ';',
      ':',
      '@',
      ' ',
      'boss@shop.example',
    );
    const text = fc.array(fc.oneof(piece, fc.string()), { maxLength: 12 }).map((pieces) => pieces.join(''));
    const quote = (of: string) => of.replace(/["\\()]/g, '\\$&');
    fc.assert(
      fc.property(text, text, text, (name, comment, words) => {
        for (const from of [
          `"${quote(name)}" <x@evil.example> (${quote(comment)})`,
          `(${quote(comment)}) "${quote(name)}" <x@evil.example>`,
          `x@evil.example (${quote(comment)})`,
        ]) {
          expect(toAddresses(from)).toEqual(['x@evil.example']);
        }
        // What is not quoted may be other authors, or make the sender unclear.
        expect(['x@evil.example', undefined]).toContain(
          toAddresses(`${words.replace(/[@,]/g, '')} <x@evil.example>`)[0],
        );
      }),
    );
  });

  test('are the same in the text that is made of them, however short', () => {
    const author = fc.record({
      name: fc.string({ unit: 'binary', maxLength: 300 }).map((name) => name.replace(/\s+/g, ' ').trim()),
      written: fc.constantFrom(
        'a@shop.example',
        'Post@Bücher.example',
        '"a b"@shop.example',
        'root@localhost',
      ),
    });
    fc.assert(
      fc.property(
        fc.array(author, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 40, max: 600 }),
        (list, length) => {
          const authors = list.map(({ name, written }) => ({
            name,
            written,
            address: toAddresses(written)[0] ?? '',
          }));
          const text = writeAuthors(authors, length);
          if (text === undefined) return;
          expect(text.length).toBeLessThanOrEqual(length);
          expect(toAddresses(text)).toEqual(authors.map(({ address }) => address));
        },
      ),
    );
  });
});

describe('the name of a sender or a domain', () => {
  test.each([
    ['News@Shop.Example', 'news@shop.example'],
    [' "News" <news@shop.example> ', 'news@shop.example'],
    ['Shop.Example', '@shop.example'],
    ['@shop.example', '@shop.example'],
    ['*@shop.example', '@shop.example'],
    ['post@bücher.example', 'post@xn--bcher-kva.example'],
    ['XN--BCHER-KVA.example', '@xn--bcher-kva.example'],
  ])('%j is %j', (text, name) => {
    expect(toSenderName(text)).toBe(name);
  });

  test.each([
    '',
    '@',
    'shop',
    'com',
    'a b@shop.example',
    'a@b@shop.example',
    'a@shop.example, b@shop.example',
    '10.0.0.1',
    'a@10.0.0.1',
    'shop.example:80',
    'shop.example/',
    '-shop.example',
    'https://shop.example',
  ])('%j is none', (text) => {
    expect(toSenderName(text)).toBeUndefined();
  });

  test('of an email are each address and every domain above it, but no top level', () => {
    expect(toSenderNames('News <news@eu.mail.shop.example>, b@other.example')).toEqual([
      'news@eu.mail.shop.example',
      '@eu.mail.shop.example',
      '@mail.shop.example',
      '@shop.example',
      'b@other.example',
      '@other.example',
    ]);
    expect(toSenderNames('mailer-daemon')).toEqual([]);
  });
});
