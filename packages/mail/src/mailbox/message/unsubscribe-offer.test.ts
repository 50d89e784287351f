import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MessageHeader } from './header-text.ts';
import { isOfDiscussion, readUnsubscribeOffer as readOffer } from './unsubscribe-offer.ts';

const URL_TEXT = 'https://news.example/u?t=1';
const SIGNED = 'from:to:subject:list-unsubscribe:list-unsubscribe-post';

const signature = (begin = 'AbCdEfGh', covered = SIGNED, domain = 'news.example'): MessageHeader => ({
  name: 'DKIM-Signature',
  value: `v=1; a=rsa-sha256; d=${domain}; s=s1;\r\n h=${covered}; bh=x=; b=${begin}IjKl\r\n MnOp==`,
});

const result = (dkim = 'dkim=pass header.i=@news.example header.s=s1 header.b=AbCdEfGh'): MessageHeader => ({
  name: 'Authentication-Results',
  value: `mx.google.com;\r\n       ${dkim};\r\n       spf=pass (google.com: domain of a@b designates 1.2.3.4) smtp.mailfrom=a@b`,
});

const list = (value: string): MessageHeader => ({ name: 'List-Unsubscribe', value });
const POST: MessageHeader = { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' };
const ONE_CLICK = [result(), signature(), list(`<${URL_TEXT}>`), POST];

const CLEAR = { from: 'News <off@mail.news.example>', isSenderUnclear: false };
/** What is offered; `isSigned` apart, as most of the tests are about the addresses. */
const readUnsubscribeOffer = (headers: readonly MessageHeader[], sender = CLEAR) => {
  const { isSigned: _, ...offer } = readOffer(headers, sender, 'mx.google.com') ?? {};
  return Object.keys(offer).length === 0 ? undefined : offer;
};

const without = (name: string) => ONE_CLICK.filter((header) => header.name !== name);

describe('how to unsubscribe', () => {
  it('is by one click where a good signature covers both headers', () => {
    expect(readUnsubscribeOffer(ONE_CLICK)).toEqual({ oneClick: URL_TEXT, link: URL_TEXT });
    const folded = ONE_CLICK.map(({ name, value }) => ({ name: name.toUpperCase(), value }));
    expect(readUnsubscribeOffer(folded)?.oneClick).toBe(URL_TEXT);
  });

  it('takes the https address of several, whatever comes before', () => {
    const headers = [
      ...without('List-Unsubscribe'),
      list(`<mailto:off@news.example?subject=x,y>,\r\n <${URL_TEXT}>`),
    ];
    expect(readUnsubscribeOffer(headers)).toEqual({
      oneClick: URL_TEXT,
      mailto: 'mailto:off@news.example?subject=x,y',
      link: URL_TEXT,
    });
  });

  it('is nothing without a header, or with two', () => {
    expect(readUnsubscribeOffer([])).toBeUndefined();
    expect(readUnsubscribeOffer([...ONE_CLICK, list('<https://evil.example/>')])).toBeUndefined();
    expect(readUnsubscribeOffer(without('List-Unsubscribe'))).toBeUndefined();
  });

  it.each([
    ['no List-Unsubscribe-Post', without('List-Unsubscribe-Post')],
    ['two of them', [...ONE_CLICK, POST]],
    [
      'another value',
      [...without('List-Unsubscribe-Post'), { ...POST, value: 'List-Unsubscribe=Two-Click' }],
    ],
    ['no result', without('Authentication-Results')],
    ['a failed signature', [result('dkim=fail header.b=AbCdEfGh'), ...without('Authentication-Results')]],
    [
      'a result in a comment',
      [
        result('dkim=fail (dkim=pass header.b=AbCdEfGh; dkim=pass) x=y'),
        ...without('Authentication-Results'),
      ],
    ],
    [
      'a result in quotes',
      [result('dkim=fail reason="; dkim=pass header.b=AbCdEfGh"'), ...without('Authentication-Results')],
    ],
    [
      'a result without its signature',
      [result('dkim=pass header.i=@news.example'), ...without('Authentication-Results')],
    ],
    ['too short a beginning', [result('dkim=pass header.b=Ab'), ...without('Authentication-Results')]],
    [
      'another version',
      [{ ...result(), value: result().value.replace(';', ' 2;') }, ...without('Authentication-Results')],
    ],
    ['no signature', without('DKIM-Signature')],
    [
      'a signature that leaves a header out',
      [signature('AbCdEfGh', 'from:list-unsubscribe'), ...without('DKIM-Signature')],
    ],
    [
      'a good signature padded until it is not read',
      [
        {
          ...signature('AbCdEfGh', 'from'),
          value: `${signature('AbCdEfGh', 'from').value}${' '.repeat(20_000)}`,
        },
        ...ONE_CLICK,
      ],
    ],
    [
      'a false signature that begins as the good one',
      [signature(), ...without('DKIM-Signature'), signature('AbCdEfGh', 'from')],
    ],
  ])('is by hand with %s', (_name, headers) => {
    expect(readUnsubscribeOffer(headers)).toEqual({ link: URL_TEXT });
  });

  it.each([
    'dkim=pass header.i=@news.example header.s=s1 header.b=AbCdEfGh',
    'dkim=pass header.i=@news.example header.s=s1 header.b="AbCdEfGh"',
    'dkim=pass (2048-bit key) header.d=news.example header.i=@news.example header.b=AbCdEfGh',
    'dkim=pass header.b=AbCdEfGh header.d=news.example',
    'dkim=fail header.i=@esp.example header.s=k1 header.b=ZzZzZzZz;\r\n dkim=pass header.i=@news.example header.s=s1 header.b=AbCdEfGh',
  ])('is by one click with the result %j', (dkim) => {
    const headers = [result(dkim), ...without('Authentication-Results')];
    expect(readUnsubscribeOffer(headers)?.oneClick).toBe(URL_TEXT);
  });

  it.each([
    'dkim=pass header.i=@news.example',
    'dkim=pass header.d=news.example header.s=s1',
    'dkim=neutral (body hash did not verify) header.i=@news.example header.s=s1 header.b=AbCdEfGh',
    'dkim=temperror (no key for signature) header.i=@news.example header.s=s1 header.b=AbCdEfGh',
    'dkim=pass header.i=@esp.example header.s=k1 header.b=ZzZzZzZz;\r\n dkim=fail header.i=@news.example header.s=s1 header.b=AbCdEfGh',
    'arc=pass (i=1 dkim=pass dkdomain=news.example) header.b=AbCdEfGh',
  ])('is by hand with the result %j', (dkim) => {
    const headers = [result(dkim), ...without('Authentication-Results')];
    expect(readUnsubscribeOffer(headers)).toEqual({ link: URL_TEXT });
  });

  it.each([
    ['news.example', 'a@news.example', true],
    ['MAIL.News.Example', 'a@other.news.example', true],
    ['mail.news.co.uk', 'a@news.co.uk', true],
    ['news.example', 'a@xn--bcher-kva.news.example', true],
    ['evil.example', 'a@news.example', false],
    ['news.example.evil.example', 'a@news.example', false],
    ['other.co.uk', 'a@news.co.uk', false],
    ['co.uk', 'a@news.co.uk', false],
    ['news.example', 'a@news.example, b@other.example', false],
    ['', 'a@news.example', false],
  ])('is by one click with a signature of %s for %s: %s', (domain, from, isByClick) => {
    const headers = [signature('AbCdEfGh', SIGNED, domain), ...without('DKIM-Signature')];
    const offer = readOffer(headers, { from, isSenderUnclear: false }, 'mx.google.com');
    expect([offer?.oneClick !== undefined, offer?.isSigned]).toEqual([isByClick, isByClick]);
  });

  it('is signed but by hand where the signature covers the addresses alone', () => {
    const headers = [signature('AbCdEfGh', 'from:list-unsubscribe'), ...without('DKIM-Signature')];
    expect(readOffer(headers, CLEAR, 'mx.google.com')).toEqual({ link: URL_TEXT, isSigned: true });
    const anyFrom = [
      signature('AbCdEfGh', 'list-unsubscribe:list-unsubscribe-post'),
      ...without('DKIM-Signature'),
    ];
    expect(readOffer(anyFrom, CLEAR, 'mx.google.com')).toEqual({ link: URL_TEXT, isSigned: false });
  });

  it('is nothing in a message that fails DMARC, or whose sender is unclear', () => {
    const failing = result('dmarc=fail (p=REJECT) header.from=news.example; dkim=pass header.b=AbCdEfGh');
    expect(readUnsubscribeOffer([failing, ...ONE_CLICK])).toBeUndefined();
    expect(readUnsubscribeOffer(ONE_CLICK, { ...CLEAR, isSenderUnclear: true })).toBeUndefined();
    expect(readOffer([failing, ...ONE_CLICK], CLEAR, 'mx.other.example')?.link).toBe(URL_TEXT);
  });

  it.each([
    ['<mailto:dev@lists.example>', true],
    ['(moderated) <https://lists.example/post>', true],
    ['NO', false],
    [' no (posting not allowed on this list)', false],
    ['(closed) NO', false],
  ])('is by hand where a list takes posts: %j', (value, isDiscussion) => {
    const headers = [...ONE_CLICK, { name: 'List-Post', value }];
    expect(isOfDiscussion(headers)).toBe(isDiscussion);
    expect(readUnsubscribeOffer(headers)).toEqual(
      isDiscussion ? { link: URL_TEXT } : { link: URL_TEXT, oneClick: URL_TEXT },
    );
  });

  it('is never by one click where an address is encoded, or a header is repeated', () => {
    const encoded = '=?utf-8?q?=3Chttps=3A//news=2Eexample/u?= =?utf-8?q?=3Ft=3D1=3E?=';
    expect(readUnsubscribeOffer([...without('List-Unsubscribe'), list(encoded)])).toBeUndefined();
    expect(readUnsubscribeOffer([...ONE_CLICK, list('<mailto:off@news.example>')])).toBeUndefined();
    expect(readUnsubscribeOffer([...ONE_CLICK, POST])?.oneClick).toBeUndefined();
  });

  it('believes the topmost result alone, and only Gmail’s', () => {
    const forged = (service: string) => ({
      ...result(),
      value: result().value.replace('mx.google.com', service),
    });
    const failed = result('dkim=fail header.b=AbCdEfGh');
    expect(readUnsubscribeOffer([failed, ...ONE_CLICK])?.oneClick).toBeUndefined();
    for (const service of ['mx.evil.example', 'mx.google.com.evil.example', '(mx.google.com) evil']) {
      expect(readUnsubscribeOffer([forged(service), ...ONE_CLICK])?.oneClick).toBeUndefined();
    }
    expect(readUnsubscribeOffer([result(), failed, ...without('Authentication-Results')])?.oneClick).toBe(
      URL_TEXT,
    );
  });

  it.each([
    ['http', '<http://news.example/u>', { link: 'http://news.example/u' }],
    ['mailto', '<mailto:off@news.example>', { mailto: 'mailto:off@news.example' }],
    [
      'nothing after a quoted address',
      '<https://a.example/u>, "<https://b.example/u>"',
      {
        oneClick: 'https://a.example/u',
        link: 'https://a.example/u',
      },
    ],
    [
      'a comment with escaped brackets',
      '(page \\) \\( here) <HTTPS://news.example/u>',
      { oneClick: 'HTTPS://news.example/u', link: 'HTTPS://news.example/u' },
    ],
    [
      'a comment with a comma after an address',
      '<mailto:off@news.example> (by mail, slow), <https://news.example/u>',
      {
        oneClick: 'https://news.example/u',
        link: 'https://news.example/u',
        mailto: 'mailto:off@news.example',
      },
    ],
    [
      'a list manager’s two addresses over two lines',
      '<mailto:leave-7-a.b=c.example@lists.example?subject=unsubscribe>,\r\n\t<https://lists.example/u/7?x=1&y=%2B>',
      {
        oneClick: 'https://lists.example/u/7?x=1&y=%2B',
        link: 'https://lists.example/u/7?x=1&y=%2B',
        mailto: 'mailto:leave-7-a.b=c.example@lists.example?subject=unsubscribe',
      },
    ],
    [
      'white space and comments',
      '(see below) < https://news\r\n .example/u > (page), <mailto:a@b.example> (mail)',
      {
        oneClick: 'https://news.example/u',
        link: 'https://news.example/u',
        mailto: 'mailto:a@b.example',
      },
    ],
  ])('reads %s', (_name, value, offer) => {
    expect(readUnsubscribeOffer([...without('List-Unsubscribe'), list(value)])).toEqual(offer);
  });

  it.each([
    'https://news.example/u',
    'NO <https://news.example/u>',
    '<javascript:alert(1)>',
    '<data:text/html,x>',
    '<file:///etc/passwd>',
    '<https://user:secret@news.example/u>',
    '<https://пример.example/u>',
    '<https://>',
    '<mailto:>',
    `<https://news.example/${'x'.repeat(2_048)}>`,
    `${' '.repeat(9_000)}<https://news.example/u>`,
    '<https://news.example/u',
    '',
  ])('offers nothing for %j', (value) => {
    expect(readUnsubscribeOffer([...without('List-Unsubscribe'), list(value)])).toBeUndefined();
  });

  it('offers only addresses of these schemes, in ASCII, without credentials, whatever the header holds', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      ',',
      '(',
      ')',
      '"',
      '\\',
      ' ',
      'https://',
      'http://',
      'mailto:',
      'a@b',
      'x.example',
      '/',
      'ü',
      ':',
      '@',
      '\0',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 30 }), (pieces) => {
        const offer = readUnsubscribeOffer([...without('List-Unsubscribe'), list(pieces.join(''))]) ?? {};
        for (const address of Object.values(offer))
          expect(address).toMatch(/^(https?:\/\/|mailto:)[\x21-\x7e]+$/i);
        if (offer.oneClick !== undefined) {
          const { protocol, username, password } = new URL(offer.oneClick);
          expect([protocol, username, password]).toEqual(['https:', '', '']);
        }
      }),
    );
  });
});
