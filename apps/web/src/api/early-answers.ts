import { READ_REQUEST } from './read-request.ts';

/** An answer that nobody took by then is too old to be shown. Unit: milliseconds. */
const EARLY_ANSWER_MAX_AGE_MS = 10_000;
/** Mails on the first page of the inbox: more than a screen shows, few enough to be there soon. */
export const FIRST_PAGE_SIZE = 30;

/** What every visit to a place asks for first, spelled as the API client spells it. */
const toFirstRequests = ({ pathname, search }: { pathname: string; search: string }): string[] => {
  if (pathname === '/sign-in') return [];
  const isPlainInbox = (pathname === '/inbox' || pathname === '/') && search === '';
  return ['/api/v1/me', ...(isPlainInbox ? [`/api/v1/emails?pageSize=${FIRST_PAGE_SIZE}`] : [])];
};

/**
 * Sends the first requests of a visit while the app's code is still on its way, and hands each answer to the first
 * caller that asks the same thing.
 *
 * @returns a `fetch` that knows of the early answers and is the given one for everything else
 */
export const createEarlyAnswers = (input: {
  apiOrigin: string;
  place: { pathname: string; search: string };
  fetch: typeof fetch;
}): { fetch: typeof fetch } => {
  const begun = performance.now();
  const answers = new Map<string, Promise<Response>>();
  for (const path of toFirstRequests(input.place)) {
    const url = new URL(path, input.apiOrigin).href;
    const answer = input.fetch(url, READ_REQUEST);
    // Whoever takes the answer learns of its failure; if nobody does, it does not matter.
    answer.catch(() => undefined);
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
