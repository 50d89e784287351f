import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AuthenticationSchema, readAuthentication } from './authentication.ts';

const results = (...values: string[]) => values.map((value) => ({ name: 'Authentication-Results', value }));

test('what the mail server found out is read from its own results', () => {
  const own =
    'mx.google.com;\r\n dkim=pass header.i=@news.example header.s=s1 header.b=AbCdEfGh;\r\n dkim=fail (bad) header.d=ESP.example;\r\n spf=softfail (google.com: domain of a@b) smtp.mailfrom=a@b;\r\n dmarc=fail (p=NONE sp=NONE dis=NONE) header.from=news.example';
  expect(readAuthentication(results(own), 'mx.google.com')).toEqual({
    dmarc: 'fail',
    spf: 'softfail',
    dkim: [
      { result: 'pass', domain: 'news.example' },
      { result: 'fail', domain: 'esp.example' },
    ],
  });
});

test.each([
  ['of another server', results('mx.evil.example; dmarc=pass')],
  ['below the topmost one', results('mx.evil.example; dmarc=pass', 'mx.google.com; dmarc=pass')],
  ['of which there are none', results('mx.google.com; none')],
  ['that are malformed', results('mx.google.com; dmarc=pass (', 'mx.google.com; dmarc=pass')],
  ['that are missing', []],
])('no verdict is read from results %s', (_, headers) => {
  expect(readAuthentication(headers, 'mx.google.com')).toBeUndefined();
});

test('nothing is believed where the server has no name', () => {
  expect(readAuthentication(results('mx.google.com; dmarc=pass'), undefined)).toBeUndefined();
});

test('whatever the results hold can be stored', () => {
  const piece = fc.constantFrom(
    'dkim=pass',
    'dmarc=fail',
    ';',
    ' ',
    '=',
    'header.d=',
    '"',
    '(',
    'x'.repeat(300),
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 30 }), (pieces) => {
      const read = readAuthentication(results(`mx.google.com;${pieces.join('')}`), 'mx.google.com');
      if (read !== undefined) expect(AuthenticationSchema.safeParse(read).success).toBe(true);
    }),
  );
});
