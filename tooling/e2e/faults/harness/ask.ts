import { type Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';

export interface Question {
  method?: string;
  /** `session_token=…`, as a browser sends it. */
  cookie?: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is. */
  body?: string | Buffer;
  /** Keeps connections alive; without one each request has its own. */
  agent?: Agent;
  /** The address to connect from; on Linux any of 127.0.0.0/8 serves as another client. */
  localAddress?: string;
  timeoutMs?: number;
}

export interface Reply {
  /** 0 when no response came: refused, reset, or timed out; `text` then says which. */
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The response's JSON; undefined when it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: a scenario reads of a response what it expects in it.
  body: any;
  tookMs: number;
}

const DEFAULT_TIMEOUT_MS = 30_000;

/** Asks once, over a connection of its own, and returns whatever happened; it never rejects. */
export const ask = (url: string, question: Question = {}): Promise<Reply> => {
  const { json, agent = false, timeoutMs = DEFAULT_TIMEOUT_MS } = question;
  const body = json === undefined ? question.body : JSON.stringify(json);
  const headers = {
    ...(question.cookie === undefined ? {} : { cookie: question.cookie }),
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    ...question.headers,
  };
  const from = question.localAddress === undefined ? {} : { localAddress: question.localAddress };
  const method = question.method ?? (body === undefined ? 'GET' : 'POST');
  const startedMs = performance.now();
  return new Promise((resolve) => {
    const fail = (error: Error & { code?: string }) =>
      resolve({
        status: 0,
        headers: {},
        text: error.code ?? error.message,
        body: undefined,
        tookMs: performance.now() - startedMs,
      });
    const request = httpRequest(
      url,
      { method, headers, agent, ...from, signal: AbortSignal.timeout(timeoutMs) },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', fail);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            body: parseJson(text),
            tookMs: performance.now() - startedMs,
          });
        });
      },
    );
    request.on('error', fail);
    request.end(body);
  });
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // Not every response is JSON.
    return undefined;
  }
};
