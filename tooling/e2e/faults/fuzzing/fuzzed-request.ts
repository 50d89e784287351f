import type fc from 'fast-check';
import type { Operation } from './api-description.ts';

/**
 * What was done to a request: nothing that matters, its values, its body so that no JSON route can read it, or
 * what HTTP itself is made of.
 */
export type Mutation = 'none' | 'values' | 'body' | 'protocol';

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

/** A change of a request for the worse. */
export type Change = (request: FuzzedRequest) => fc.Arbitrary<FuzzedRequest>;

export const JSON_TYPE: [string, string] = ['content-type', 'application/json'];

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

/** A text as the reader of the query gets it: a lone surrogate becomes replacement characters. */
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
export const rewrite = (request: FuzzedRequest): FuzzedRequest => ({
  ...request,
  target: toTarget(request),
  ...toJsonBody(request.value),
});

/** The same request with nothing asked for in its query: a made-up page token, say, can only be refused. */
export const withoutQuery = (request: FuzzedRequest): FuzzedRequest => rewrite({ ...request, query: [] });

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
