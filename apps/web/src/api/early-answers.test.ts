import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it, vi } from 'vitest';
import { decisionsQuery, eventsQuery, summaryQuery } from '../activity/activity-queries.ts';
import { prefetchHistory } from '../history/history-screen.tsx';
import { toListEmailsQuery } from '../inbox/inbox-filters.ts';
import { prefetchSenders } from '../senders/senders-screen.tsx';
import { prefetchSuggestions } from '../suggestions/suggestions-screen.tsx';
import { type ApiClient, createApiClient } from './api-client.ts';
import type { PrefetchContext } from './api-context.tsx';
import { createEarlyAnswers } from './early-answers.ts';
import { withMailMemory } from './mail-memory.ts';

const apiOrigin = 'https://api.example.org';
const ME = { id: '1', email: 'ada@example.com', name: null, connection: 'active' };

/** Lets a screen ask for what it shows first, as nobody has before. */
const askFresh =
  (ask: (context: PrefetchContext) => void) =>
  async (client: ApiClient): Promise<void> => {
    const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    ask({ queryClient, api: { origin: apiOrigin, ...withMailMemory(client) } });
    await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0));
  };

const FIRST_ASKED = {
  '/suggestions': askFresh(prefetchSuggestions),
  '/senders': askFresh((context) => prefetchSenders(context, {})),
  '/history': askFresh((context) => prefetchHistory(context, {})),
  '/activity': askFresh(({ api, queryClient }) => {
    void queryClient.prefetchQuery(summaryQuery(api.client, 'weekly'));
    void queryClient.prefetchQuery(decisionsQuery(api.client));
    void queryClient.prefetchInfiniteQuery(eventsQuery(api.client, undefined));
  }),
};

describe('early answers', () => {
  it('spare the app its first requests at the inbox', async () => {
    const { client, requests } = visit('/inbox');
    expect(requests).toHaveLength(2);
    await client.listEmails({ query: toListEmailsQuery({}, undefined) });
    await client.getMe({}).catch(() => undefined);
    expect(requests).toHaveLength(2);
  });

  it.each(Object.entries(FIRST_ASKED))('spare the app its first requests at %s', async (place, ask) => {
    const { client, requests } = visit(place);
    const early = [...requests];
    expect(early.length).toBeGreaterThan(1);
    await ask(client);
    expect(requests).toEqual(early);
    // Each was taken: who asks once more asks the API, for the same.
    await ask(client);
    const isOfEveryPlace = (url: string) => url.endsWith('/me');
    expect(requests.slice(early.length).sort()).toEqual(early.filter((url) => !isOfEveryPlace(url)).sort());
  });

  it('serve once: the next request goes out', async () => {
    const { client, requests } = visit('/inbox');
    const query = toListEmailsQuery({}, undefined);
    await client.listEmails({ query });
    await client.listEmails({ query });
    expect(requests).toHaveLength(3);
  });

  it('tell at once that nobody is signed in', async () => {
    const { signedOut } = visit('/inbox', '', 401);
    await vi.waitFor(() => expect(signedOut).toHaveBeenCalledOnce());
  });

  it('are not asked for where they would not be wanted', () => {
    expect(visit('/settings').requests).toEqual([`${apiOrigin}/api/v1/me`]);
    expect(visit('/inbox', '?unread=true').requests).toEqual([`${apiOrigin}/api/v1/me`]);
  });
});

const visit = (pathname: string, search = '', meStatus = 200) => {
  const signedOut = vi.fn();
  const requests: string[] = [];
  const answers = createEarlyAnswers({
    apiOrigin,
    place: { pathname, search },
    onSignedOut: signedOut,
    fetch: async (resource) => {
      requests.push(String(resource));
      if (String(resource).endsWith('/me')) return Response.json(ME, { status: meStatus });
      return Response.json({ emails: [], nextPageToken: null, total: 0 });
    },
  });
  return { requests, signedOut, client: createApiClient({ apiOrigin, fetch: answers.fetch }) };
};
