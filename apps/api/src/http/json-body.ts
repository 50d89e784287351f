import { promisify } from 'node:util';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { createProblem } from './problems.ts';
import { waitForOthers } from './request-end.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

const decode = (body: Buffer): string => {
  try {
    return UTF8.decode(body);
  } catch {
    throw createProblem('malformed_json', 'The body is not valid UTF-8.');
  }
};

/**
 * Makes the guard that reads a body as text in UTF-8; all bodies are read by it. A slow client holds no slot while it sends its body.
 * If its session ends meanwhile, the request is refused.
 *
 * @param options.limit - largest body, such as `256kb`, after decompression
 * @param authenticate - run again after a body that came later than its head
 */
export const createBodyReader = (
  options: { type: string; limit: string },
  authenticate?: RequestHandler,
): RequestHandler => {
  const read: (request: Request, response: Response) => Promise<void> = promisify(express.raw(options));
  return async (request, response, next) => {
    const isLate = !request.complete;
    await waitForOthers(response, () => read(request, response));
    if (Buffer.isBuffer(request.body)) request.body = decode(request.body);
    if (isLate) await authenticate?.(request, response, () => undefined);
    next();
  };
};

/** Methods that change nothing. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Refuses bodies that are not JSON in UTF-8 (RFC 8259, section 8.1), so that no plain HTML form reaches a route. */
export const requireJsonBody: RequestHandler = (request, _response, next) => {
  const contentType = request.headers['content-type'];
  const hasBody =
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length']) > 0;
  const isAcceptable = contentType === undefined ? !hasBody : isJsonInUtf8(contentType);
  if (!SAFE_METHODS.has(request.method) && !isAcceptable) {
    throw createProblem('unsupported_media_type', 'The body must be sent as application/json, in UTF-8.');
  }
  next();
};

const isJsonInUtf8 = (contentType: string): boolean => {
  const [type, ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charsets = parameters.filter((parameter) => parameter.startsWith('charset='));
  return type === 'application/json' && charsets.every((charset) => /^charset="?utf-8"?$/.test(charset));
};

/**
 * Reads a body of JSON text. A missing body reads as an object without fields, so that each missing field is
 * named. An object that has a key twice is refused: parsers differ on which one counts (RFC 8259, section 4).
 *
 * @param limit - as in {@link createBodyReader}, and so is `authenticate`
 */
export const createJsonBodyParser = (limit: string, authenticate?: RequestHandler): RequestHandler[] => [
  createBodyReader({ type: 'application/json', limit }, authenticate),
  (request, _response, next) => {
    request.body = parseJson(request.body || '{}');
    next();
  },
];

const parseJson = (text: string): unknown => {
  if (isTooComplex(text)) {
    throw createProblem('json_too_complex', 'The body nests too deep or has too many keys.');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw createProblem('malformed_json', 'The body is not valid JSON.');
  }
  const key = findDuplicateKey(text);
  if (key !== undefined) {
    throw createProblem('duplicate_key', 'The body has a key twice.', {
      fieldErrors: [{ path: key, message: 'occurs twice' }],
    });
  }
  return value;
};

/** Our bodies are flat objects with a handful of fields. */
const MAX_DEPTH = 32;
const MAX_KEYS = 1_000;

const [QUOTE, BACKSLASH, COLON] = ['"', '\\', ':'].map((character) => character.charCodeAt(0));
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [...'[]{}'].map((bracket) =>
  bracket.charCodeAt(0),
);

/**
 * Whether JSON text nests deeper, or has more keys in total, than any body of ours. What such a body costs to parse and
 * validate, in time and memory, is far more than what it costs to send, so it is looked at before it is parsed.
 *
 * @param text - JSON text, or what claims to be
 */
export const isTooComplex = (text: string): boolean => {
  let depth = 0;
  let keys = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at += 1;
        while (at < text.length && text.charCodeAt(at) !== QUOTE) {
          at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
        }
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        depth += 1;
        if (depth > MAX_DEPTH) return true;
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth -= 1;
        break;
      case COLON:
        keys += 1;
        if (keys > MAX_KEYS) return true;
        break;
    }
  }
  return false;
};

/** Where the string that begins at an index ends: the index of its closing quote. */
const findStringEnd = (json: string, start: number): number => {
  let at = start + 1;
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
};

/**
 * The first key that occurs twice in the same object, whichever way it is escaped.
 *
 * @param json - valid JSON text; one pass over it, however deep it is nested
 */
export const findDuplicateKey = (json: string): string | undefined => {
  /** The keys of each object that is open, null for an array. */
  const open: (Set<string> | null)[] = [];
  let isKeyNext = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') {
      const end = findStringEnd(json, at);
      const keys = open.at(-1);
      if (isKeyNext && keys) {
        const key = JSON.parse(json.slice(at, end + 1)) as string;
        if (keys.has(key)) return key;
        keys.add(key);
        isKeyNext = false;
      }
      at = end;
    } else if (character === '{' || character === '[') {
      open.push(character === '{' ? new Set() : null);
      isKeyNext = character === '{';
    } else if (character === '}' || character === ']') {
      open.pop();
    } else if (character === ',') {
      isKeyNext = open.at(-1) !== null;
    }
  }
  return undefined;
};
