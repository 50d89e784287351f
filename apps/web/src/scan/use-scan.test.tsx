import type { Scan } from '@mailsweep/contracts';
import { QueryClient, QueryClientProvider, QueryObserver, useQuery } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { ApiProvider, useApi } from '../api/api-context.tsx';
import { createAppClient } from '../api/app-client.ts';
import { withEmailCache } from '../api/email-cache.ts';
import { SENDERS_KEY, SUGGESTION_GROUPS_KEY } from '../api/query-keys.ts';
import { sampleScan } from '../testing/sample-email.ts';
import { followedScanQuery, useScan } from './use-scan.ts';

const ORIGIN = 'https://api.example.org';
const RUNNING = sampleScan({ state: 'running', scanned: 100, total: 300 });

describe('the newest scan', () => {
  it('is requested once a second while it runs, and its end makes the senders be requested again', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { view, api, queryClient } = await follow(RUNNING);
    queryClient.setQueryData(SENDERS_KEY, 'the senders so far');

    api.scan = { ...RUNNING, scanned: 200 };
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    await waitFor(() => expect(view.result.current.scan?.scanned).toBe(200));
    expect(queryClient.getQueryState(SENDERS_KEY)?.isInvalidated).toBe(false);

    api.scan = { ...RUNNING, state: 'completed', scanned: 300 };
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    await waitFor(() => expect(view.result.current.isInProgress).toBe(false));
    expect(queryClient.getQueryState(SENDERS_KEY)?.isInvalidated).toBe(true);
    const requests = api.asked.length;
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(api.asked).toHaveLength(requests);
  });

  it('requests suggestions one at a time while it runs, and again at its end', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { api, queryClient } = await follow(RUNNING);
    // A slow machine has read them before the scan ended.
    let respond: () => void = () => undefined;
    const queryFn = vi.fn(() => {
      const response = Promise.withResolvers<string>();
      respond = () => response.resolve('read before');
      return response.promise;
    });
    new QueryObserver(queryClient, { queryKey: SUGGESTION_GROUPS_KEY, queryFn }).subscribe(() => undefined);
    for (const suggested of [10, 20]) {
      api.scan = { ...RUNNING, suggested };
      await act(() => vi.advanceTimersByTimeAsync(1_000));
    }
    expect(queryFn).toHaveBeenCalledTimes(1);

    api.scan = { ...RUNNING, state: 'completed', suggested: 20 };
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    respond();
    await waitFor(() => expect(queryFn).toHaveBeenCalledTimes(2));
  });

  it('is the one that was started, and stops on request', async () => {
    const { view, api } = await follow(null);
    act(() => view.result.current.start());
    await waitFor(() => expect(view.result.current.isInProgress).toBe(true));
    act(() => view.result.current.cancel());
    await waitFor(() => expect(view.result.current.scan?.state).toBe('cancelled'));
    expect(api.asked).toEqual([
      'GET /api/v1/scans',
      'POST /api/v1/scans {"scope":"all"}',
      `POST /api/v1/scans/${RUNNING.id}/cancel {}`,
    ]);
  });
});

/** The hook with an API that has one scan. */
const follow = async (newest: Scan | null) => {
  const api = { scan: newest, asked: [] as string[] };
  const respond: typeof fetch = async (resource, init) => {
    const { pathname } = new URL(String(resource));
    api.asked.push([init?.method, pathname, init?.body].filter(Boolean).join(' '));
    if (init?.method === 'GET' && pathname === '/api/v1/scans') {
      const data = api.scan ? [api.scan] : [];
      return Response.json({ total: data.length, page: 1, perPage: 1, data });
    }
    if (pathname.endsWith('/cancel')) return Response.json({ ...RUNNING, state: 'cancelled' });
    return Response.json(api.scan ?? RUNNING);
  };
  const queryClient = new QueryClient();
  const client = withEmailCache(createAppClient({ apiOrigin: ORIGIN, fetch: respond }));
  const useFrameAndScreen = () => {
    useQuery(followedScanQuery(useApi().client));
    return useScan();
  };
  const view = renderHook(useFrameAndScreen, {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={queryClient}>
        <ApiProvider api={{ origin: ORIGIN, ...client }}>{children}</ApiProvider>
      </QueryClientProvider>
    ),
  });
  await waitFor(() => expect(view.result.current.scan).toEqual(newest));
  return { view, queryClient, api };
};
