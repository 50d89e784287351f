import type { Scan } from '@mailsweep/contracts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { createApiClient } from '../api/api-client.ts';
import { ApiProvider } from '../api/api-context.tsx';
import { withEmailCache } from '../api/email-cache.ts';
import { SENDERS_KEY } from '../queries/query-keys.ts';
import { sampleScan } from '../testing/sample-email.ts';
import { useFollowedScan } from './use-followed-scan.ts';
import { useScan } from './use-scan.ts';

const ORIGIN = 'https://api.example.org';
const RUNNING = sampleScan({ state: 'running', scanned: 100, total: 300 });

describe('the newest scan', () => {
  it('moves on with the stream of events, and its end makes the senders be requested again', async () => {
    const { view, streams, queryClient } = await follow(RUNNING);
    expect(streams[0]?.address).toBe(`${ORIGIN}/api/v1/scans/${RUNNING.id}/events`);
    queryClient.setQueryData(SENDERS_KEY, 'the senders so far');

    act(() => streams[0]?.tell('progress', { ...RUNNING, scanned: 200 }));
    await waitFor(() => expect(view.result.current.scan?.scanned).toBe(200));
    expect(queryClient.getQueryState(SENDERS_KEY)?.isInvalidated).toBe(false);

    act(() => streams[0]?.tell('end', { ...RUNNING, state: 'completed', scanned: 300 }));
    await waitFor(() => expect(view.result.current.isInProgress).toBe(false));
    expect(queryClient.getQueryState(SENDERS_KEY)?.isInvalidated).toBe(true);
    expect(streams).toHaveLength(1);
    expect(streams[0]?.readyState).toBe(FakeEventSource.CLOSED);
  });

  it.each([
    ['is refused', (stream: FakeEventSource) => stream.refuse()],
    ['sends what the client cannot parse', (stream: FakeEventSource) => stream.tell('progress', '<html>')],
  ])('is asked after again and again where its stream %s', async (_what, fail) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { view, streams, api } = await follow(RUNNING);
    api.scan = { ...RUNNING, scanned: 250 };
    act(() => fail(streams[0] as FakeEventSource));
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    await waitFor(() => expect(view.result.current.scan?.scanned).toBe(250));
    expect(streams).toHaveLength(1);
    expect(streams[0]?.readyState).toBe(FakeEventSource.CLOSED);
  });

  it('is the one that was started, and stops on request', async () => {
    const { view, streams, api } = await follow(null);
    expect(streams).toEqual([]);
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

/** A stream that the test speaks for. */
class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  static opened: FakeEventSource[] = [];
  readonly address: string;
  readyState = 1;

  constructor(address: URL) {
    super();
    this.address = address.href;
    FakeEventSource.opened.push(this);
  }

  close() {
    this.readyState = FakeEventSource.CLOSED;
  }

  tell(name: string, data: unknown) {
    this.dispatchEvent(
      new MessageEvent(name, { data: typeof data === 'string' ? data : JSON.stringify(data) }),
    );
  }

  refuse() {
    this.close();
    this.dispatchEvent(new Event('error'));
  }
}

/** The hook in front of an API that knows of one scan. */
const follow = async (newest: Scan | null) => {
  FakeEventSource.opened = [];
  vi.stubGlobal('EventSource', FakeEventSource);
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
  const client = withEmailCache(createApiClient({ apiOrigin: ORIGIN, fetch: respond }));
  const useFrameAndScreen = () => {
    useFollowedScan();
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
  return { view, queryClient, api, streams: FakeEventSource.opened };
};
