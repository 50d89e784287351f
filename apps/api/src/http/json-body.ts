import { ProblemError } from '@mailsweep/service-kit';
import express, { type RequestHandler } from 'express';
import { findDuplicateKey } from './find-duplicate-key.ts';
import { isTooComplex } from './json-complexity.ts';

/**
 * Reads a body of JSON text. A missing body reads as an object without fields, so that each missing field is
 * named. An object that has a key twice is refused: parsers differ on which one counts (RFC 8259, section 4).
 *
 * @param limit - largest body, such as `256kb`, after decompression
 */
export const createJsonBodyParser = (limit: string): RequestHandler[] => [
  express.text({ type: 'application/json', limit }),
  (request, _response, next) => {
    request.body = parseJson(request.body || '{}');
    next();
  },
];

const parseJson = (text: string): unknown => {
  if (isTooComplex(text)) {
    throw new ProblemError(400, 'json_too_complex', 'The body nests too deep or has too many keys.');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ProblemError(400, 'malformed_json', 'The body is not valid JSON.');
  }
  const key = findDuplicateKey(text);
  if (key !== undefined) {
    throw new ProblemError(400, 'duplicate_key', 'The body has a key twice.', {
      fieldErrors: [{ path: key, message: 'stands twice' }],
    });
  }
  return value;
};
