import { type ApiClient, createClient } from '@mailsweep/client';
import { fetchWhenOnline } from './connection.ts';

const KEY_HEADER = 'idempotency-key';

/**
 * Sends one request for each intent, however often the control is pressed: joins a request in flight, and repeats a
 * failed one with its idempotency key. Any other request to the same address is a new intent.
 */
const sendOnce = (send: typeof fetch): typeof fetch => {
  /** Requests without an outcome, by address; a failed one has no response. */
  const open = new Map<string, { what: string; key: string | null; response?: Promise<Response> }>();
  return async (url, init = {}) => {
    // Requests with a signal only read.
    if (init.method === 'GET' || init.signal) return await send(url, init);
    const address = String(url);
    const what = `${init.method} ${init.body}`;
    const last = open.get(address);
    const same = last?.what === what ? last : undefined;
    if (same?.response !== undefined) return (await same.response).clone();
    const headers = new Headers(init.headers);
    const key = same?.key ?? headers.get(KEY_HEADER);
    if (key !== null) headers.set(KEY_HEADER, key);
    const response = send(url, { ...init, headers });
    const request = { what, key, response };
    open.set(address, request);
    const status = await response.then(
      (received) => received.status,
      () => 503,
    );
    if (open.get(address) === request) {
      if (status < 500 && status !== 409) open.delete(address);
      else open.set(address, { what, key });
    }
    return (await response).clone();
  };
};

/**
 * The app's client: uses the session cookie, and does not retry, as the API already has. The user sees an error at
 * once.
 *
 * @param input.apiOrigin - for example `http://localhost:3000`
 * @param input.mailbox - another one than the page shows
 * @param input.onError - called with every error, before the caller receives it
 */
export const createAppClient = (input: {
  apiOrigin: string;
  mailbox?: number;
  fetch?: typeof fetch;
  onError?: (error: unknown) => void;
}): ApiClient =>
  createClient({
    baseUrl: input.apiOrigin,
    retries: 0,
    timeLimitMs: Number.POSITIVE_INFINITY,
    fetch: sendOnce(fetchWhenOnline(input.fetch ?? globalThis.fetch.bind(globalThis))),
    ...(input.mailbox !== undefined && { mailbox: input.mailbox }),
    ...(input.onError && { onError: input.onError }),
  });
