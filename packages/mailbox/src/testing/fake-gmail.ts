import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A message as Gmail's REST API shows it; only what a test cares about. */
export interface FakeMessage {
  id: string;
  labelIds: string[];
  [field: string]: unknown;
}

export interface FakeLabel {
  id: string;
  name: string;
  type: string;
}

interface RecordedRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: unknown;
  /** Whether the call came within a batch. */
  isInBatch: boolean;
}

export type FakeAnswer =
  | { status?: number; headers?: Record<string, string>; body?: unknown }
  /** Never answers. */
  | 'hang'
  /** Sends the head and a part of the body, then nothing. */
  | 'hang_after_head'
  /** Breaks the connection. */
  | 'reset'
  /** Sends the head and a part of the body, then breaks the connection. */
  | 'reset_after_head'
  /** Leaves a call out of the answer to its batch. */
  | 'left_out';

/** Answers a request in place of the fake's own answer, unless it gives undefined. */
type Interceptor = (request: RecordedRequest) => FakeAnswer | undefined | Promise<FakeAnswer | undefined>;

export interface FakeGmail {
  url: string;
  requests: RecordedRequest[];
  messages: FakeMessage[];
  labels: FakeLabel[];
  /** How many requests wait for their answer. */
  inFlight(): number;
  intercept(interceptor: Interceptor): void;
  close(): Promise<void>;
}

/** A refusal in Google's form. */
export const refusal = (status: number, reason: string, message = 'refused'): FakeAnswer => ({
  status,
  body: { error: { code: status, message, errors: [{ domain: 'global', reason, message }] } },
});

const MESSAGES_PATH = '/gmail/v1/users/me/messages';
const LABELS_PATH = '/gmail/v1/users/me/labels';
const BATCH_PATH = '/batch/gmail/v1';
const BATCH_BOUNDARY = 'batch_of_answers';

const listMessages = (messages: FakeMessage[], query: URLSearchParams): FakeAnswer => {
  const labelIds = query.getAll('labelIds');
  const matching = messages.filter((message) => labelIds.every((label) => message.labelIds.includes(label)));
  const from = Number(query.get('pageToken') ?? 0);
  const until = from + Number(query.get('maxResults') ?? 100);
  return {
    body: {
      ...(matching.length > 0 ? { messages: matching.slice(from, until).map(({ id }) => ({ id })) } : {}),
      ...(until < matching.length ? { nextPageToken: String(until) } : {}),
      resultSizeEstimate: matching.length,
    },
  };
};

const modify = (message: FakeMessage, body: unknown): FakeAnswer => {
  const { addLabelIds, removeLabelIds } = body as { addLabelIds: string[]; removeLabelIds: string[] };
  const labels = new Set(message.labelIds).union(new Set(addLabelIds)).difference(new Set(removeLabelIds));
  message.labelIds = [...labels];
  return { body: message };
};

const createLabel = (labels: FakeLabel[], body: unknown): FakeAnswer => {
  const { name } = body as { name: string };
  if (labels.some((label) => label.name.toLowerCase() === name.toLowerCase())) {
    return refusal(409, 'aborted', 'Label name exists or conflicts');
  }
  const label = { id: `Label_${labels.length + 1}`, name, type: 'user' };
  labels.push(label);
  return { body: label };
};

const send = (response: ServerResponse, answer: FakeAnswer): void => {
  if (answer === 'hang' || answer === 'left_out') return;
  if (answer === 'reset') {
    response.socket?.resetAndDestroy();
  } else if (answer === 'hang_after_head' || answer === 'reset_after_head') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{"id":', () => {
      if (answer === 'reset_after_head') response.socket?.resetAndDestroy();
    });
  } else {
    const { body = {} } = answer;
    const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    response
      .writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers })
      .end(bytes);
  }
};

const readRequest = async (request: IncomingMessage): Promise<RecordedRequest> => {
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
const readBatch = ({ headers, body }: RecordedRequest) =>
  [...String(body).matchAll(/Content-ID: <(.+)>\r\n\r\n([A-Z]+) (\S+) HTTP\/1\.1\r\n/g)].map(
    ([, contentId, method = '', target = '']) => {
      const { pathname: path, searchParams: query } = new URL(target, 'http://localhost');
      return { contentId, request: { method, path, query, headers, body: undefined, isInBatch: true } };
    },
  );

/** Answers to the calls of a batch, in reverse order: their places are to tell nothing. */
const writeBatch = (answers: { contentId: string | undefined; answer: FakeAnswer }[]): FakeAnswer => {
  const sections = answers.toReversed().flatMap(({ contentId, answer }) => {
    if (typeof answer === 'string') return [];
    const { status = 200, headers = {}, body = {} } = answer;
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

/**
 * A Gmail server on localhost that keeps what it is asked. It knows `labelIds` and pages, but ignores search terms
 * and field masks, so that tests see whether the adapter relies on them.
 */
export const startFakeGmail = async (
  content: { messages?: FakeMessage[]; labels?: FakeLabel[] } = {},
): Promise<FakeGmail> => {
  const messages = content.messages ?? [];
  const labels = content.labels ?? [];
  const requests: RecordedRequest[] = [];
  let interceptor: Interceptor = () => undefined;
  let inFlight = 0;

  const answer = ({ method, path, query, body }: RecordedRequest): FakeAnswer => {
    if (path === LABELS_PATH) return method === 'POST' ? createLabel(labels, body) : { body: { labels } };
    if (path === MESSAGES_PATH) return listMessages(messages, query);
    const [id, verb] = path
      .slice(MESSAGES_PATH.length + 1)
      .split('/')
      .map(decodeURIComponent);
    const message = messages.find((candidate) => candidate.id === id);
    if (!path.startsWith(MESSAGES_PATH) || !message) return refusal(404, 'notFound');
    return verb === 'modify' ? modify(message, body) : { body: message };
  };

  const server = createServer((incoming, response) => {
    inFlight += 1;
    response.once('close', () => {
      inFlight -= 1;
    });
    const answerOne = async (request: RecordedRequest): Promise<FakeAnswer> => {
      requests.push(request);
      return (await interceptor(request)) ?? answer(request);
    };
    const answerBatch = async (request: RecordedRequest): Promise<FakeAnswer> => {
      const calls = readBatch(request).map(async (call) => ({
        contentId: call.contentId,
        answer: await answerOne(call.request),
      }));
      return writeBatch(await Promise.all(calls));
    };
    void readRequest(incoming).then(async (request) => {
      if (request.path !== BATCH_PATH) return send(response, await answerOne(request));
      requests.push(request);
      send(response, (await interceptor(request)) ?? (await answerBatch(request)));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    messages,
    labels,
    inFlight: () => inFlight,
    intercept(next) {
      interceptor = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
