import got from 'got';
import { readCapped } from '../resilience/bounded.ts';
import { inHttpCall } from '../tracing/spans.ts';

export interface HttpRequest {
  /** The service that is called, and the path without ids, as spans show them. */
  peer: string;
  template: string;
  method: 'GET' | 'POST' | 'DELETE';
  url: URL;
  headers: Record<string, string>;
  /** Sent as JSON; undefined sends none. */
  body?: unknown;
  /** Sent as it is, in place of a body in JSON; its type belongs among the headers. */
  text?: string | undefined;
  /** Ends the attempt wherever it stands, reading the response included. */
  timeoutMs: number;
  /** Size at which a response is cut off, in bytes after decompression. */
  maxResponseBytes: number;
}

export interface HttpResponse {
  status: number;
  retryAfter: string | undefined;
  /** Where the resource is, of a redirect. */
  location?: string | undefined;
  contentType?: string | undefined;
  text: string;
}

/** Why there is no response. `code` is a system or library code such as `ECONNREFUSED`. */
export class HttpExchangeError extends Error {
  override readonly name = 'HttpExchangeError';
  readonly code: string;

  // No cause: what got throws carries the request with its token, and raw bytes of the response.
  constructor(code: string) {
    super(`No response (${code})`);
    this.code = code;
  }
}

/** Code of the error for a response that grew too large. */
export const RESPONSE_TOO_LARGE = 'RESPONSE_TOO_LARGE';

const toCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN';

// A stream, since got gathers a whole body before anyone can look at its size.
const openStream = ({ method, url, headers, body, text, timeoutMs }: HttpRequest) =>
  got.stream(url, {
    method,
    headers,
    ...(body !== undefined && { json: body }),
    // Without a body, got waits for one to be written.
    ...(body === undefined && method !== 'GET' && { body: text ?? '' }),
    timeout: { request: timeoutMs },
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
  });

const readResponse = async (request: HttpRequest): Promise<HttpResponse> => {
  const stream = openStream(request);
  const body = await readCapped(stream, request.maxResponseBytes);
  if (body === undefined) throw new HttpExchangeError(RESPONSE_TOO_LARGE);
  const { response } = stream;
  if (response === undefined) throw new HttpExchangeError('NO_RESPONSE');
  return {
    status: response.statusCode,
    retryAfter: response.headers['retry-after'],
    location: response.headers.location,
    contentType: response.headers['content-type'],
    text: new TextDecoder().decode(body),
  };
};

/**
 * Makes one HTTP exchange, whatever its status; redirects are not followed.
 *
 * @throws {HttpExchangeError} when no complete response came in time or it was too large
 */
export const exchange = async (request: HttpRequest): Promise<HttpResponse> => {
  try {
    const { method, peer, url, template } = request;
    return await inHttpCall({ method, peer, url, template }, async (span) => {
      const response = await readResponse(request);
      span.responded(response.status);
      return response;
    });
  } catch (error) {
    throw new HttpExchangeError(toCode(error));
  }
};

/** The value that a JSON text stands for; undefined when it is none. The error is dropped: it quotes the text. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
