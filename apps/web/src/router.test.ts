import { QueryClient } from '@tanstack/react-query';
import { createMemoryHistory } from '@tanstack/react-router';
import { describe, expect, it } from 'vitest';
import { createApiClient } from './api/api-client.ts';
import { withEmailCache } from './api/email-cache.ts';
import { createAppRouter } from './router.tsx';

describe('the address', () => {
  it('decides what the API is asked for', async () => {
    const { requests } = await open('/inbox?unread=true&olderThan=30&category=social&find=cat');
    expect(requests).toContain('/api/v1/emails?unread=true&olderThan=30&category=social&pageSize=30');
  });

  it.each([
    ['q=%22from:shop+older_than:1y%22', 'search=from%3Ashop+older_than%3A1y'],
    ['q=from:shop', 'search=from%3Ashop'],
    ['q=2026', 'search=2026'],
  ])('holds a search: %s', async (typed, asked) => {
    const { requests } = await open(`/inbox?unread=true&${typed}`);
    expect(requests).toContain(`/api/v1/emails?unread=true&${asked}&pageSize=30`);
  });

  it('may hold nonsense, which is left out', async () => {
    const { requests, router } = await open('/inbox?olderThan=soon&category=odd&unread=true');
    expect(requests).toContain('/api/v1/emails?unread=true&pageSize=30');
    expect(router.state.location.pathname).toBe('/inbox');
  });
});

const open = async (address: string) => {
  const requests: string[] = [];
  const client = createApiClient({
    apiOrigin: 'https://api.example.org',
    fetch: async (resource) => {
      const { pathname, search } = new URL(String(resource));
      requests.push(pathname + search);
      return Response.json({ emails: [], nextPageToken: null, total: 0 });
    },
  });
  const router = createAppRouter({
    api: { origin: 'https://api.example.org', ...withEmailCache(client) },
    queryClient: new QueryClient({ defaultOptions: { queries: { retry: false } } }),
  });
  router.update({ ...router.options, history: createMemoryHistory({ initialEntries: [address] }) });
  await router.load();
  return { router, requests };
};
