import { expect, test } from 'vitest';
import { toBrowserName } from './client.ts';

test.each([
  ['Firefox on Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'],
  [
    'Safari on iOS',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  ],
  [
    'Microsoft Edge on macOS',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
  ],
  ['Firefox', 'Firefox/145.0'],
])('names %s', (name, userAgent) => {
  expect(toBrowserName(userAgent)).toBe(name);
});

test.each([
  ['no header', undefined],
  ['an empty header', ''],
  ['a command-line client', 'curl/8.5.0'],
  ['a header that names itself', 'Trusted by your bank/1.0 (x) Windows'],
  ['a browser that is named after 512 characters', `${'x'.repeat(512)} Firefox/145.0`],
])('names nothing for %s', (_case, userAgent) => {
  expect(toBrowserName(userAgent)).toBeNull();
});
