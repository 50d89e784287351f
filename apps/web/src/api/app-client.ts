import { type ApiClient, createClient } from '@mailsweep/client';
import { fetchWhenOnline } from './connection.ts';

/**
 * The client of the API as the app needs it: by the session cookie, and without retries of its own. The API has already
 * retried what may pass; the user sees an error at once and decides.
 *
 * @param input.apiOrigin - for example `http://localhost:3000`
 * @param input.onError - called with every error, before the caller receives it
 */
export const createAppClient = (input: {
  apiOrigin: string;
  fetch?: typeof fetch;
  onError?: (error: unknown) => void;
}): ApiClient =>
  createClient({
    baseUrl: input.apiOrigin,
    retries: 0,
    timeLimitMs: Number.POSITIVE_INFINITY,
    fetch: fetchWhenOnline(input.fetch ?? globalThis.fetch.bind(globalThis)),
    ...(input.onError && { onError: input.onError }),
  });
