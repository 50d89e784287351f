import { ML_SUGGEST_PATH } from '@mailsweep/contracts';
import { readCapped } from '@mailsweep/service-kit/resilience';
import { inHttpCall } from '@mailsweep/service-kit/tracing';
import got, { RequestError } from 'got';
import { MlUnavailableError } from './ml-client.ts';

export interface PostJsonRequest {
  url: string;
  headers: Record<string, string>;
  body: unknown;
  /** Size at which the response is cut off, in bytes after decompression. */
  maxResponseBytes: number;
  /** How long name look-up, connection and TLS handshake may take, each. */
  connectTimeoutMs: number;
  /** Ends the attempt wherever it stands, the reading of the response included. */
  signal: AbortSignal;
}

const isSuccess = (statusCode: number): boolean => statusCode >= 200 && statusCode <= 299;

// A stream, since got gathers a whole body before anyone can look at its size.
const openStream = ({ url, headers, body, connectTimeoutMs, signal }: PostJsonRequest) =>
  got.stream.post(url, {
    headers,
    json: body,
    signal,
    timeout: { lookup: connectTimeoutMs, connect: connectTimeoutMs, secureConnect: connectTimeoutMs },
    retry: { limit: 0 },
    followRedirect: false,
    // With it, got would read the whole body of an error response.
    throwHttpErrors: false,
  });

const toUnavailable = (
  error: unknown,
  response: { statusCode: number | undefined; isOverBudget: boolean },
) => {
  const { statusCode, isOverBudget } = response;
  if (statusCode !== undefined && !isSuccess(statusCode)) {
    const message = `the classification service responded with ${statusCode}`;
    return new MlUnavailableError('ml_status', message, { status: statusCode });
  }
  // An error of got's carries the whole request, email and token included, for any printer to show; its cause doesn't.
  const cause = error instanceof RequestError ? error.cause : error;
  return isOverBudget
    ? new MlUnavailableError('ml_timeout', 'the classification service took too long', { cause })
    : new MlUnavailableError('ml_network', 'the classification service could not be reached', { cause });
};

const readBody = async (request: PostJsonRequest, onStatus: (status: number) => void): Promise<Buffer> => {
  const stream = openStream(request);
  let isTooLarge = false;
  // A refusal is known by its head, and so is most of what is too large; the body is not worth waiting for.
  stream.once('response', ({ statusCode, headers }) => {
    onStatus(statusCode);
    isTooLarge = isSuccess(statusCode) && Number(headers['content-length']) > request.maxResponseBytes;
    if (isTooLarge || !isSuccess(statusCode)) stream.destroy();
  });
  const body = await readCapped(stream, request.maxResponseBytes).catch((error: unknown) => {
    const statusCode = stream.response?.statusCode;
    if (isTooLarge) return undefined;
    throw toUnavailable(error, { statusCode, isOverBudget: request.signal.aborted });
  });
  // A stream that was destroyed may also just end.
  if (body === undefined || isTooLarge) {
    throw new MlUnavailableError(
      'ml_too_large',
      `the response is larger than ${request.maxResponseBytes} bytes`,
    );
  }
  return body;
};

/**
 * Makes one attempt to POST `body` as JSON and reads the JSON response. Redirects are not followed.
 *
 * @throws {MlUnavailableError} for any failure, a response that is not JSON included
 */
export const postJson = async (request: PostJsonRequest): Promise<unknown> => {
  const { url, headers } = request;
  const call = { method: 'POST', peer: 'classification', url, template: ML_SUGGEST_PATH };
  const bytes = await inHttpCall(call, (span) =>
    readBody({ ...request, headers: { ...headers, ...span.headers } }, span.responded),
  );
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // The parser's message quotes the response, which may quote email: it must not get into a log as a cause.
    throw new MlUnavailableError('ml_bad_response', 'the response is not JSON');
  }
};
