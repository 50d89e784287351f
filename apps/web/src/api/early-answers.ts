import { READ_REQUEST } from './read-request.ts';

const UNAUTHORIZED = 401;

/** An answer that nobody took by then is too old to be shown. Unit: milliseconds. */
const EARLY_ANSWER_MAX_AGE_MS = 10_000;
/** Mails on the first page of the inbox: more than a screen shows, few enough to be there soon. */
export const FIRST_PAGE_SIZE = 30;

const ME_PATH = '/api/v1/me';

/**
 * What the screens ask for first, spelled as the API client spells it; without filters, which most visits begin
 * without.
 */
const FIRST_REQUESTS: Record<string, string[]> = {
  '/inbox': [`/api/v1/emails?pageSize=${FIRST_PAGE_SIZE}`],
  '/suggestions': [
    '/api/v1/suggestions?pageSize=100',
    '/api/v1/scans?page=1&perPage=1',
    '/api/v1/senders?page=1&perPage=1',
  ],
  '/senders': ['/api/v1/scans?page=1&perPage=1', '/api/v1/senders?sort=mails&page=1&perPage=100'],
  '/history': ['/api/v1/notifications/history?page=1&perPage=100'],
  '/activity': [
    '/api/v1/notifications/summary?period=weekly',
    '/api/v1/notifications/events?page=1&perPage=100&type=domain.suggestions.confirmed',
    '/api/v1/notifications/events?page=1&perPage=50',
  ],
};

const toFirstRequests = ({ pathname, search }: { pathname: string; search: string }): string[] => {
  const screen = pathname === '/' ? '/inbox' : pathname;
  return [ME_PATH, ...((search === '' && FIRST_REQUESTS[screen]) || [])];
};

/**
 * Sends the first requests of a visit while the app's code is still on its way, and hands each answer to the first
 * caller that asks the same thing.
 *
 * @param input.onSignedOut - told that nobody is signed in, long before the app could find out
 * @returns a `fetch` that knows of the early answers and is the given one for everything else
 */
export const createEarlyAnswers = (input: {
  apiOrigin: string;
  place: { pathname: string; search: string };
  fetch: typeof fetch;
  onSignedOut: () => void;
}): { fetch: typeof fetch } => {
  const begun = performance.now();
  const answers = new Map<string, Promise<Response>>();
  for (const path of toFirstRequests(input.place)) {
    const url = new URL(path, input.apiOrigin).href;
    const answer = input.fetch(url, READ_REQUEST);
    // Whoever takes the answer learns of its failure; if nobody does, it does not matter.
    answer
      .then(({ status }) => {
        if (path === ME_PATH && status === UNAUTHORIZED) input.onSignedOut();
      })
      .catch(() => undefined);
    answers.set(url, answer);
  }
  return {
    fetch: (resource, init) => {
      const url = String(resource);
      const early = (init?.method ?? 'GET') === 'GET' ? answers.get(url) : undefined;
      answers.delete(url);
      const isFresh = performance.now() - begun < EARLY_ANSWER_MAX_AGE_MS;
      return early && isFresh ? early : input.fetch(resource, init);
    },
  };
};
