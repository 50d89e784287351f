import fc from 'fast-check';
import type { Change, FuzzedRequest } from './fuzzed-request.ts';
import { hostileText } from './hostile-values.ts';

export const changeMethod: Change = (request) =>
  fc
    .constantFrom(
      'PUT',
      'PATCH',
      'DELETE',
      'HEAD',
      'OPTIONS',
      'TRACE',
      'QUERY',
      'PROPFIND',
      'get',
      'FOO',
      'GÉT',
      '',
      'X'.repeat(200),
    )
    .filter((method) => method !== request.method)
    .map((method) => ({ ...request, method, what: `method ${method}` }));

export const changePath: Change = (request) => {
  const [path = '', search] = request.target.split('?');
  const to = (what: string, changed: string): FuzzedRequest => ({
    ...request,
    what,
    target: search === undefined ? changed : `${changed}?${search}`,
  });
  return fc.oneof(
    fc
      .tuple(
        fc.nat(path.length),
        fc.constantFrom(
          '%00',
          '%2e%2e',
          '..',
          '/../',
          '%2f',
          '//',
          '%',
          '%zz',
          '%ff',
          '%c0%af',
          '\\',
          ';a=b',
          '\u00e9',
          '%F0%9F%8C%B7',
          '\u0001',
          ':',
          '*',
          '{id}',
        ),
      )
      .map(([at, junk]) =>
        to(`${JSON.stringify(junk)} in the path`, path.slice(0, at) + junk + path.slice(at)),
      ),
    fc.constantFrom(
      to('a slash at the end', `${path}/`),
      to('upper case', path.toUpperCase()),
      to('encoded letters', path.replaceAll('a', '%61')),
      to('a long path', path + '/x'.repeat(5_000)),
      to('an absolute address', `http://evil.example${path}`),
      to('an authority', '//evil.example/'),
      to('no slash', path.slice(1)),
      to('a star', '*'),
      to('a fragment', `${path}#x`),
    ),
  );
};

const TOKEN_CHARS = /[^\t\x20-\x7e\x80-\xff]/g;

export const changeHeaders: Change = (request) => {
  const add = (what: string, ...headers: [string, string][]): FuzzedRequest => ({
    ...request,
    what,
    headers: [...request.headers, ...headers],
  });
  const names = fc.constantFrom(
    'accept',
    'accept-encoding',
    'accept-language',
    'authorization',
    'connection',
    'content-length',
    'content-type',
    'expect',
    'forwarded',
    'host',
    'idempotency-key',
    'if-none-match',
    'if-modified-since',
    'origin',
    'range',
    'referer',
    'sec-fetch-site',
    'te',
    'transfer-encoding',
    'upgrade',
    'user-agent',
    'via',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-http-method-override',
    'x-request-id',
    '__proto__',
    'constructor',
  );
  return fc.oneof(
    fc
      .tuple(
        names,
        fc.oneof(
          fc.constantFrom(
            '',
            '*',
            'null',
            '0',
            '-1',
            'chunked',
            '100-continue',
            'Bearer',
            'Bearer x',
            'cross-site',
            'https://evil.example',
            'bytes=0-1',
            '127.0.0.1',
          ),
          hostileText,
        ),
      )
      // Bytes that HTTP knows; what it doesn't know is sent below.
      .map(([name, value]) =>
        add(`header ${name}`, [name, value.replaceAll(TOKEN_CHARS, '?').slice(0, 2_000)]),
      ),
    fc.constantFrom(
      add('a control character in a value', ['x-junk', 'a\u0000b']),
      add('a space in a name', ['x junk', '1']),
      add('no name', ['', '1']),
      add(
        '2,500 headers',
        ...Array.from({ length: 2_500 }, (_, index): [string, string] => [`x-${index}`, '1']),
      ),
      add('a 20 kB value', ['x-junk', 'x'.repeat(20_000)]),
      add('both lengths', ['transfer-encoding', 'chunked'], ['content-length', '3']),
      add('two lengths', ['content-length', '1'], ['content-length', '2']),
      add('a folded line', ['x-junk', 'a\r\n b']),
      add('bytes above ASCII', ['x-junk', '\u00ff\u00fe']),
    ),
  );
};

export const changeCookies: Change = (request) =>
  fc
    .oneof(
      fc.constantFrom(
        'session_token=',
        'session_token=a; session_token=b',
        'session_token',
        '=; ;; =',
        '__proto__=x; constructor=y',
        'session_token="quoted"',
        'session_token=%00',
        'session_token=%zz',
        'login_binding=%E0%A4%A',
        'a=b;'.repeat(2_000),
        `session_token=${'x'.repeat(8_000)}`,
        'session_token=\u00ff',
      ),
      fc.string({ unit: 'binary-ascii' }).map((junk) => junk.replaceAll(TOKEN_CHARS, '?')),
    )
    .map((cookie) => ({
      ...request,
      headers: [...request.headers, ['cookie', cookie] as [string, string]],
      what: `cookie ${cookie.slice(0, 40)}`,
    }));
