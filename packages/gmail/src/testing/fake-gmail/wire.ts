import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { FakeResponse, RecordedRequest } from './fake-types.ts';

export const BATCH_PATH = '/batch/gmail/v1';
const BATCH_BOUNDARY = 'batch_of_responses';

/** Sends a response, or breaks off as it says. */
export const send = (response: ServerResponse, reply: FakeResponse): void => {
  if (reply === 'hang' || reply === 'left_out') return;
  if (reply === 'reset') {
    response.socket?.resetAndDestroy();
  } else if (reply === 'hang_after_head' || reply === 'reset_after_head') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{"id":', () => {
      if (reply === 'reset_after_head') response.socket?.resetAndDestroy();
    });
  } else {
    const { body = {} } = reply;
    const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    response
      .writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers })
      .end(bytes);
  }
};

export const readRequest = async (request: IncomingMessage): Promise<RecordedRequest> => {
  const url = new URL(request.url ?? '', 'http://localhost');
  const body = (await buffer(request)).toString();
  const isJson = request.headers['content-type']?.startsWith('application/json');
  return {
    method: request.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    body: isJson ? JSON.parse(body) : body || undefined,
    isInBatch: false,
  };
};

/** The calls within a batch, each with the headers of the whole. */
export const readBatch = ({ headers, body }: RecordedRequest) =>
  [...String(body).matchAll(/Content-ID: <(.+)>\r\n\r\n([A-Z]+) (\S+) HTTP\/1\.1\r\n/g)].map(
    ([, contentId, method = '', target = '']) => {
      const { pathname: path, searchParams: query } = new URL(target, 'http://localhost');
      return { contentId, request: { method, path, query, headers, body: undefined, isInBatch: true } };
    },
  );

/** Responses to the calls of a batch, in reverse order: their places are to tell nothing. */
export const writeBatch = (
  responses: { contentId: string | undefined; response: FakeResponse }[],
): FakeResponse => {
  const sections = responses.toReversed().flatMap(({ contentId, response: reply }) => {
    if (typeof reply === 'string') return [];
    const { status = 200, headers = {}, body = {} } = reply;
    return [
      `--${BATCH_BOUNDARY}`,
      'Content-Type: application/http',
      `Content-ID: <response-${contentId}>`,
      '',
      `HTTP/1.1 ${status} Whatever`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      '',
      typeof body === 'string' ? body : JSON.stringify(body, null, 2),
    ];
  });
  return {
    headers: { 'content-type': `multipart/mixed; boundary=${BATCH_BOUNDARY}` },
    body: [...sections, `--${BATCH_BOUNDARY}--`, ''].join('\r\n'),
  };
};
