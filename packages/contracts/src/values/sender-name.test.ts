import { describe, expect, test } from 'vitest';
import { toSenderName, toSenderNames } from './sender-name.ts';

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
    '10.0.0.1',
    'a@10.0.0.1',
    'shop.example:80',
    'shop.example/',
    '-shop.example',
    'https://shop.example',
  ])('%j is none', (text) => {
    expect(toSenderName(text)).toBeUndefined();
  });

  test('of a sender are the address and every domain above it, but no top level', () => {
    expect(toSenderNames('News <news@eu.mail.shop.example>')).toEqual([
      'news@eu.mail.shop.example',
      '@eu.mail.shop.example',
      '@mail.shop.example',
      '@shop.example',
    ]);
    expect(toSenderNames('mailer-daemon')).toEqual([]);
  });
});
