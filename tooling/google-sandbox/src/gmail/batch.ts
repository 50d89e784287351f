import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { splitMultipart } from '../mailbox/mime.ts';
import { invalidArgument } from '../protocol/google-errors.ts';
import type { Incoming, Outcome, SandboxResponse } from '../response.ts';

/** Most calls in one batch (Gmail API guide, "Batching requests"). */
const MAX_CALLS = 100;

export interface BatchPart {
  contentId: string | undefined;
  request: Incoming;
}

/**
 * Handles a multipart batch: each part is an HTTP request, and its response is a part whose Content-ID is
 * `response-` and the request's. The order is reversed on purpose: Google guarantees none.
 */
export const handleBatch = async (
  request: Incoming,
  handlePart: (part: Incoming) => Promise<Outcome>,
): Promise<Outcome> => {
  const parts = parseBatch(request);
  if (parts === null) return invalidArgument('Failed to parse batch request.');
  if (parts.length > MAX_CALLS) return invalidArgument(`The batch holds more than ${MAX_CALLS} calls.`);
  const outcomes = await Promise.all(parts.map((part) => handlePart(part.request)));
  // A connection carries all of a batch: what happens to one call happens to every one.
  const cut = outcomes.find((outcome) => typeof outcome === 'string');
  if (cut !== undefined) return cut;
  const responses = outcomes.filter((outcome) => typeof outcome !== 'string');
  return toMultipart(
    parts.map(({ contentId }, index) => ({ contentId, response: responses[index] })).reverse(),
  );
};

/** The requests within a batch; null when it is malformed or empty. */
const parseBatch = ({ headers, body }: Incoming): BatchPart[] | null => {
  const [, quoted, plain] =
    headers['content-type']?.match(/^multipart\/mixed\s*;.*boundary=(?:"([^"]+)"|([^;\s]+))/i) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return null;
  const sections = splitMultipart(body.replaceAll('\r\n', '\n'), boundary);
  const parts = sections.map((section) => parsePart(section, headers));
  return parts.length > 0 && parts.every((part) => part !== null) ? parts : null;
};

const parsePart = (text: string, outerHeaders: Record<string, string>): BatchPart | null => {
  const [partHead, inner] = splitHead(text);
  const [requestHead, body] = splitHead(inner.replace(/^\n+/, ''));
  const [requestLine = '', ...headerLines] = requestHead.split('\n');
  const [, method, target] = requestLine.match(/^([A-Z]+) (\/\S*)(?: HTTP\/1\.1)?\s*$/) ?? [];
  if (method === undefined || target === undefined) return null;
  const { pathname, searchParams } = new URL(target, 'http://batch');
  const ownHeaders = parseHeaders(headerLines);
  // Headers of the outer request hold for every call, but for those about its content.
  const inherited = outerHeaders.authorization ? { authorization: outerHeaders.authorization } : {};
  return {
    contentId: parseHeaders(partHead.split('\n'))['content-id'],
    request: {
      method,
      path: pathname,
      query: searchParams,
      headers: { ...inherited, ...ownHeaders },
      body: body.trim(),
    },
  };
};

const splitHead = (text: string): [head: string, rest: string] => {
  const end = text.indexOf('\n\n');
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 2)];
};

const parseHeaders = (lines: string[]): Record<string, string> =>
  Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, value] = line.match(/^([\w-]+):\s*(.*?)\s*$/) ?? [];
      return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value]];
    }),
  );

const toResponseId = (contentId: string): string =>
  contentId.startsWith('<') ? `<response-${contentId.slice(1)}` : `response-${contentId}`;

const toMultipart = (
  parts: { contentId: string | undefined; response: SandboxResponse | undefined }[],
): SandboxResponse => {
  const boundary = `batch_${randomUUID()}`;
  const sections = parts.flatMap(({ contentId, response }) =>
    response === undefined
      ? []
      : [
          `--${boundary}`,
          'Content-Type: application/http',
          ...(contentId === undefined ? [] : [`Content-ID: ${toResponseId(contentId)}`]),
          '',
          `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? ''}`,
          ...Object.entries(response.headers).map(([name, value]) => `${name}: ${value}`),
          `Content-Length: ${Buffer.byteLength(response.body)}`,
          '',
          response.body,
        ],
  );
  return {
    status: 200,
    headers: { 'content-type': `multipart/mixed; boundary=${boundary}` },
    body: [...sections, `--${boundary}--`, ''].join('\r\n'),
  };
};
