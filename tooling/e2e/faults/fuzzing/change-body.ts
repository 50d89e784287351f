import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { type Change, type FuzzedRequest, JSON_TYPE } from './fuzzed-request.ts';
import { hostileText } from './hostile-values.ts';

/** More than the API reads, in bytes. */
const TOO_LARGE_BYTES = 257 * 1024;
const DEEP = 45_000;
const DEEP_JSON = `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`;
const GZIP_BOMB = gzipSync(Buffer.alloc(20_000_000, ' '));

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

/** The same request with a body that is larger than the API reads, and good in all else. */
export const toTooLarge = (request: FuzzedRequest): FuzzedRequest => ({
  ...request,
  mutation: 'body',
  what: '257 kB',
  body: Buffer.from((request.body.toString() || '{}').padEnd(TOO_LARGE_BYTES)),
  headers: [JSON_TYPE],
  value: undefined,
});

/** Bodies that are no JSON, not in UTF-8, too large, packed, or sent under another name. */
export const changeBytes: Change = (request) => {
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
    // Never to nothing: where a body may be left out, that is a good request.
    fc.integer({ min: 1, max: text.length - 1 }).map((length) => sent('cut short', text.slice(0, length))),
    fc.constantFrom(
      sent('UTF-16', Buffer.from(text, 'utf16le')),
      sent('45,000 deep', DEEP_JSON),
      sent('a field 45,000 deep', `{"emailIds":${DEEP_JSON},"ids":${DEEP_JSON}}`),
      sent('a key twice', text.replace('{', `{${again},${again}${text === '{}' ? '' : ','}`)),
      toTooLarge(request),
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
