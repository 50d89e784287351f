import { QueryClient } from '@tanstack/react-query';
import { createMemoryHistory } from '@tanstack/react-router';
import { describe, expect, it, vi } from 'vitest';
import { createAppClient } from './api/app-client.ts';
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

  it.each([
    ['/suggestions', ['&minAcceptance=0.95', '&minAcceptance=0.75']],
    ['/suggestions?show=likely', ['&minAcceptance=0.75']],
    ['/suggestions?show=everything', ['']],
  ])('has the suggestions requested that are shown first: %s', async (address, filters) => {
    const { requests } = await open(address);
    const groups = () => requests.filter((request) => request.startsWith('/api/v1/suggestions/groups'));
    const expected = filters.map(
      (filter) => `/api/v1/suggestions/groups?by=sender${filter}&page=1&perPage=100`,
    );
    await vi.waitFor(() => expect(groups()).toEqual(expected));
  });

  it('has the newest emails requested with the home screen of a mailbox that was never scanned', async () => {
    const { requests } = await open('/');
    await vi.waitFor(() => expect(requests).toContain('/api/v1/suggestions?pageSize=30'));
  });

  it.each([
    ['/m/2/inbox?unread=true', '/inbox'],
    ['/m/2/', '/'],
    ['/m/2', '/'],
  ])('may name a mailbox, in which links stay: %s', async (address, screen) => {
    window.history.replaceState(null, '', address);
    const { router } = await open(address);
    expect(router.state.location.pathname).toBe(screen);
    expect(router.state.matches.at(-1)?.fullPath).toBe(screen);
    expect(router.history.createHref(router.buildLocation({ to: '/history' }).publicHref)).toBe(
      '/m/2/history',
    );
  });

  it('may hold nonsense, which is left out', async () => {
    const { requests, router } = await open('/inbox?olderThan=soon&category=odd&unread=true');
    expect(requests).toContain('/api/v1/emails?unread=true&pageSize=30');
    expect(router.state.location.pathname).toBe('/inbox');
  });
});

const open = async (address: string) => {
  const requests: string[] = [];
  const client = createAppClient({
    apiOrigin: 'https://api.example.org',
    fetch: async (resource) => {
      const { pathname, search } = new URL(String(resource));
      requests.push(pathname + search);
      const confidence = { sure: 0, likely: 2, check: 1 };
      return Response.json({
        emails: [],
        data: [],
        nextPageToken: null,
        total: 0,
        page: 1,
        perPage: 100,
        confidence,
      });
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
