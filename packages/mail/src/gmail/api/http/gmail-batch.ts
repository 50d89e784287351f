import { MIMEType } from 'node:util';
import type { HttpResponse } from '@mailsweep/service-kit/http-client';

export interface BatchPart {
  /** Its response carries this id; its position means nothing. */
  contentId: string;
  method: 'GET';
  /** Path and query below the API's origin. */
  target: string;
}

const LINE_END = '\r\n';

/** The body of a batch of requests (Gmail API guide, "Batching requests"). */
export const encodeBatch = (parts: readonly BatchPart[], boundary: string): string =>
  [
    ...parts.flatMap(({ contentId, method, target }) => [
      `--${boundary}`,
      'Content-Type: application/http',
      `Content-ID: <${contentId}>`,
      '',
      `${method} ${target} HTTP/1.1`,
      '',
      '',
    ]),
    `--${boundary}--`,
    '',
  ].join(LINE_END);

const splitHead = (text: string): [head: string, rest: string] | undefined => {
  const gap = /\r?\n\r?\n/.exec(text);
  return gap === null ? undefined : [text.slice(0, gap.index), text.slice(gap.index + gap[0].length)];
};

/** @param name - in lower case */
const readHeader = (head: string, name: string): string | undefined =>
  head
    .split('\n')
    .find((line) => line.toLowerCase().startsWith(`${name}:`))
    ?.slice(name.length + 1)
    .trim();

const readPart = (section: string): { contentId: string; response: HttpResponse } | undefined => {
  const [partHead, inner] = splitHead(section) ?? [];
  const contentId = /^<?response-([^>]+)>?$/.exec(readHeader(partHead ?? '', 'content-id') ?? '')?.[1];
  const [head, body] = splitHead(inner ?? '') ?? [inner ?? '', ''];
  const status = /^HTTP\/\d(?:\.\d)? (\d{3})/.exec(head)?.[1];
  if (contentId === undefined || status === undefined) return undefined;
  const response = { status: Number(status), retryAfter: readHeader(head, 'retry-after'), text: body };
  return { contentId, response };
};

const readBoundary = (contentType: string | undefined): string | undefined => {
  try {
    const type = new MIMEType(contentType ?? '');
    return type.essence === 'multipart/mixed' ? (type.params.get('boundary') ?? undefined) : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Reads the response to a batch.
 *
 * @returns the responses by the Content-IDs of their requests; what can't be read, or comes twice, is left out.
 *   undefined when it is no response to a batch at all
 */
export const decodeBatch = (
  text: string,
  contentType: string | undefined,
): Map<string, HttpResponse> | undefined => {
  const boundary = readBoundary(contentType);
  if (boundary === undefined) return undefined;
  const responses = new Map<string, HttpResponse>();
  const ambiguous = new Set<string>();
  for (const section of `\r\n${text}`.split(`\n--${boundary}`).slice(1)) {
    if (section.startsWith('--')) break;
    const part = readPart(section.replace(/^[ \t]*\r?\n/, ''));
    if (part === undefined) continue;
    if (responses.has(part.contentId)) ambiguous.add(part.contentId);
    responses.set(part.contentId, part.response);
  }
  for (const contentId of ambiguous) responses.delete(contentId);
  return responses;
};
