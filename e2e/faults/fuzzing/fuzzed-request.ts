import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { ApiDescription, Operation } from './api-description.ts';
import { HOSTILE_KEYS, hostileJson, hostileText, withKey } from './hostile-values.ts';
import { createSchemaValues } from './schema-values.ts';

/**
 * What was done to a request: nothing that matters, its values, its body so that no JSON route can read it, or
 * what HTTP itself is made of.
 */
type Mutation = 'none' | 'values' | 'body' | 'protocol';

/** A request down to its bytes, with what is known about it. */
export interface FuzzedRequest {
  operation: Operation;
  mutation: Mutation;
  /** The mutation in words. */
  what: string;
  method: string;
  target: string;
  headers: [name: string, value: string][];
  body: Buffer;
  /** The parameters as they were meant, before they became text. */
  params: Record<string, string>;
  query: [name: string, value: string][];
  /** The value of the JSON body; undefined where there is none. */
  value: unknown;
}

type Change = (request: FuzzedRequest) => fc.Arbitrary<FuzzedRequest>;

const JSON_TYPE: [string, string] = ['content-type', 'application/json'];
const TOO_LARGE_BYTES = 300 * 1024;
const DEEP = 45_000;
const DEEP_JSON = `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`;
const GZIP_BOMB = gzipSync(Buffer.alloc(20_000_000, ' '));

/** Percent-encodes any text, a lone surrogate as the bytes that UTF-8 would give it if it could. */
const encode = (text: string): string =>
  [...text]
    .map((char) =>
      char.isWellFormed()
        ? encodeURIComponent(char)
        : [
            0xe0 | (char.charCodeAt(0) >> 12),
            0x80 | ((char.charCodeAt(0) >> 6) & 63),
            0x80 | (char.charCodeAt(0) & 63),
          ]
            .map((byte) => `%${byte.toString(16)}`)
            .join(''),
    )
    .join('');

/** A text as whoever reads the query gets it: of a lone surrogate only replacement characters are left. */
export const asRead = (text: string): string => new URLSearchParams(`text=${encode(text)}`).get('text') ?? '';

const toTarget = ({ operation, params, query }: FuzzedRequest): string => {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => encode(params[name] ?? ''));
  const search = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  return search === '' ? path : `${path}?${search}`;
};

const toJsonBody = (value: unknown): Pick<FuzzedRequest, 'body' | 'headers'> =>
  value === undefined
    ? { body: Buffer.alloc(0), headers: [] }
    : { body: Buffer.from(JSON.stringify(value)), headers: [JSON_TYPE] };

/** Writes values into the request's text again. */
const rewrite = (request: FuzzedRequest): FuzzedRequest => ({
  ...request,
  target: toTarget(request),
  ...toJsonBody(request.value),
});

/** Requests to one operation, as the document describes them. */
export const createValidRequestArbitrary = (
  description: ApiDescription,
  operation: Operation,
  knownTexts: readonly string[],
): fc.Arbitrary<FuzzedRequest> => {
  const valuesOf = createSchemaValues(description, knownTexts);
  const textsIn = (place: 'path' | 'query') =>
    fc.record(
      Object.fromEntries(
        operation.parameters
          .filter((parameter) => parameter.in === place)
          .map((parameter) => [parameter.name, valuesOf(parameter.schema).map(String)]),
      ),
      place === 'path' ? {} : { requiredKeys: [] },
    ) as fc.Arbitrary<Record<string, string>>;
  return fc
    .record({
      params: textsIn('path'),
      query: textsIn('query').map((query) => Object.entries(query)),
      value: operation.bodySchema === undefined ? fc.constant(undefined) : valuesOf(operation.bodySchema),
    })
    .map(
      (parts): FuzzedRequest =>
        rewrite({
          operation,
          mutation: 'none',
          what: 'as described',
          method: operation.method,
          target: '',
          headers: [],
          body: Buffer.alloc(0),
          ...parts,
        }),
    );
};

/**
 * Requests to one operation: three in ten as the document describes them, the others with one thing about them
 * changed for the worse.
 */
export const createRequestArbitrary = (
  description: ApiDescription,
  operation: Operation,
  knownTexts: readonly string[],
): fc.Arbitrary<FuzzedRequest> => {
  const valid = createValidRequestArbitrary(description, operation, knownTexts);
  const valueChanges = [
    changeQuery,
    ...(operation.parameters.some((parameter) => parameter.in === 'path') ? [changeParams] : []),
    ...(operation.bodySchema === undefined ? [] : [changeValue, changeValue, changeValue]),
  ];
  const changed = (changes: Change[], mutation: Mutation) =>
    valid.chain((request) => fc.oneof(...changes.map((change) => change({ ...request, mutation }))));
  return fc
    .oneof(
      { weight: 3, arbitrary: valid },
      { weight: 4, arbitrary: changed(valueChanges, 'values') },
      { weight: 2, arbitrary: changed([changeBytes], 'body') },
      { weight: 3, arbitrary: changed([changeMethod, changePath, changeHeaders, changeCookies], 'protocol') },
    )
    .map((request) => ({ ...request, [fc.toStringMethod]: () => describeRequest(request) }));
};

/** What is needed to send a request again by hand, long parts cut. */
export const describeRequest = (request: FuzzedRequest): string => {
  const cut = (text: string) =>
    text.length > 600 ? `${text.slice(0, 600)}… (${text.length} characters)` : text;
  const headers = request.headers.map(([name, value]) => `${name}: ${cut(JSON.stringify(value))}`);
  return [
    `${request.operation.name} (${request.what})`,
    cut(`${request.method} ${JSON.stringify(request.target)}`),
    ...headers,
    cut(JSON.stringify(request.body.toString('latin1'))),
  ].join('\n  ');
};

const changeQuery: Change = (request) => {
  const names = request.operation.parameters
    .filter(({ in: place }) => place === 'query')
    .map(({ name }) => name);
  const known = names.length === 0 ? fc.constant('page') : fc.constantFrom(...names);
  const unknown = fc.oneof(fc.constantFrom(...HOSTILE_KEYS, 'unread[]', 'page[x]'), hostileText);
  const changed = (query: FuzzedRequest['query'], what: string) => rewrite({ ...request, query, what });
  return fc.oneof(
    fc
      .tuple(known, hostileText)
      .map(([name, value]) =>
        changed(
          [...request.query.filter(([other]) => other !== name), [name, value]],
          `query ${name} changed`,
        ),
      ),
    fc
      .tuple(known, hostileText)
      .map(([name, value]) =>
        changed([...request.query, [name, value], [name, '1']], `query ${name} stands twice`),
      ),
    fc
      .tuple(unknown, hostileText)
      .map(([name, value]) => changed([...request.query, [name, value]], 'query added')),
  );
};

const changeParams: Change = (request) =>
  fc
    .tuple(fc.constantFrom(...Object.keys(request.params)), hostileText)
    // An empty segment is another path.
    .filter(([, value]) => value !== '')
    .map(([name, value]) =>
      rewrite({ ...request, params: { ...request.params, [name]: value }, what: `path ${name} changed` }),
    );

type JsonPath = (string | number)[];

/** Where the values of a JSON value stand, itself included; long lists are looked at in part. */
const listPaths = (value: unknown, path: JsonPath = []): JsonPath[] => {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.keys(value).slice(0, 10);
  return [
    path,
    ...inner.flatMap((key) =>
      listPaths((value as Record<string, unknown>)[key], [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ];
};

/** A copy of a JSON value with the value at one place replaced; left out where it is undefined. */
const replaceAt = (
  value: unknown,
  [key, ...rest]: JsonPath,
  replacement: (old: unknown) => unknown,
): unknown => {
  if (key === undefined) return replacement(value);
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => {
      const kept = index === key ? replaceAt(item, rest, replacement) : item;
      return kept === undefined ? [] : [kept];
    });
  }
  const fields = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const kept = name === key ? replaceAt(field, rest, replacement) : field;
      return kept === undefined ? [] : [[name, kept]];
    }),
  );
};

const addTo = (container: unknown, key: string, addition: unknown): unknown => {
  if (Array.isArray(container)) return [...container, addition];
  return typeof container === 'object' && container !== null ? withKey(container, key, addition) : addition;
};

const changeValue: Change = (request) => {
  const changed = (value: unknown, what: string) => rewrite({ ...request, value: value ?? {}, what });
  const replaced = (path: JsonPath, what: string, replacement: (old: unknown) => unknown) =>
    changed(replaceAt(request.value, path, replacement), `${what} at ${path.join('.') || 'the root'}`);
  return fc.constantFrom(...listPaths(request.value)).chain((path) =>
    fc.oneof(
      hostileJson.map((value) => replaced(path, 'replaced', () => value)),
      fc.constant(replaced(path, 'left out', () => undefined)),
      fc
        .tuple(fc.constantFrom(...HOSTILE_KEYS), hostileJson)
        .map(([key, value]) =>
          replaced(path, `added ${JSON.stringify(key)}`, (old) => addTo(old, key, value)),
        ),
      fc.constant(replaced(path, 'made 1,001 of', (old) => Array.from({ length: 1_001 }, () => old))),
      fc.constant(replaced(path, 'emptied', (old) => (Array.isArray(old) ? [] : ''))),
    ),
  );
};

/** Types under which a JSON body is none, or of which that is hard to say. */
const OTHER_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=latin1',
  'application/json; charset=utf-16',
  'application/json5',
  'application/json, text/plain',
  ';',
];
const ODD_TYPES = ['', 'application/json;', 'application/json; charset', 'application/json; q=1', '\u00ff'];

/** Bodies that are no JSON, not in UTF-8, too large, packed, or sent under another name. */
const changeBytes: Change = (request) => {
  const good = request.value === undefined ? Buffer.from('{}') : request.body;
  const text = good.toString();
  const gzip: [string, string] = ['content-encoding', 'gzip'];
  const sent = (what: string, body: Buffer | string, ...headers: [string, string][]): FuzzedRequest => ({
    ...request,
    what,
    body: Buffer.from(body),
    headers: headers.length === 0 ? [JSON_TYPE] : headers,
    value: undefined,
  });
  const [key = '', value] = Object.entries(request.value ?? {})[0] ?? [];
  const again = `${JSON.stringify(key)}:${JSON.stringify(value ?? 1)}`;
  /** What reads as well as the body that was meant. */
  const readable = [
    sent('gzip', gzipSync(good), JSON_TYPE, gzip),
    sent('the type in upper case', good, ['content-type', 'APPLICATION/JSON; CHARSET="UTF-8"']),
    sent('spaces around', ` \n${text}\t`),
  ].map((one): FuzzedRequest => ({ ...one, mutation: 'none', value: request.value }));
  return fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => sent('random bytes', Buffer.from(bytes))),
    hostileText.map((junk) => sent('text', `"${junk}`)),
    fc
      .tuple(fc.nat(text.length), fc.constantFrom(0xff, 0xc0, 0x80, 0xed))
      .map(([at, byte]) =>
        sent('invalid UTF-8', Buffer.concat([good.subarray(0, at), Buffer.from([byte]), good.subarray(at)])),
      ),
    fc.nat(Math.max(0, text.length - 1)).map((length) => sent('cut short', text.slice(0, length))),
    fc.constantFrom(
      sent('UTF-16', Buffer.from(text, 'utf16le')),
      sent('45,000 deep', DEEP_JSON),
      sent('a field 45,000 deep', `{"emailIds":${DEEP_JSON},"ids":${DEEP_JSON}}`),
      sent('a key twice', text.replace('{', `{${again},${again}${text === '{}' ? '' : ','}`)),
      sent('300 kB', `${text}${' '.repeat(TOO_LARGE_BYTES)}`),
      sent('two documents', `${text}${text}`),
      sent('gzip without a word', gzipSync(good)),
      sent('a gzip bomb', GZIP_BOMB, JSON_TYPE, gzip),
      sent('not gzip as it says', good, JSON_TYPE, gzip),
      sent('half a gzip', gzipSync(good).subarray(0, 12), JSON_TYPE, gzip),
      sent('an unknown encoding', good, JSON_TYPE, ['content-encoding', 'x-rot13']),
      sent('no type', good, ['x-no-type', '1']),
      ...OTHER_TYPES.map((type) => sent(`the type ${type}`, good, ['content-type', type])),
      ...ODD_TYPES.map((type) => ({
        ...sent(`the type ${type}`, good, ['content-type', type]),
        mutation: 'protocol' as const,
      })),
      ...readable,
    ),
  );
};

const changeMethod: Change = (request) =>
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

const changePath: Change = (request) => {
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

const changeHeaders: Change = (request) => {
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

const changeCookies: Change = (request) =>
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
