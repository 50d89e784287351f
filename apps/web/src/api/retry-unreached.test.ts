import { ProblemError, UnreachableError } from '@mailsweep/client';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { retryUnreached } from './retry-unreached.ts';

const TOO_MANY = new ProblemError({
  ...{ type: '', title: '', status: 429, detail: '', instance: '' },
  ...{ code: 'too_many_requests', requestId: '' },
});

describe('what could not be loaded because the service was', () => {
  it.each([
    ['out of reach', new UnreachableError(undefined)],
    ['asked too often within a minute', TOO_MANY],
  ])('%s, is requested again by itself, less and less often, until it is there', async (_why, error) => {
    const service = setUp(error);
    await vi.waitFor(() => expect(service.status()).toBe('error'));
    await vi.advanceTimersByTimeAsync(2_000);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(service.probes()).toBe(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(service.probes()).toBe(2);
    expect(service.status()).toBe('error');
    service.goUp();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(service.status()).toBe('success');
    await vi.advanceTimersByTimeAsync(600_000);
    expect(service.probes()).toBe(3);
  });

  it.each([
    ['the browser has a network again', () => window.dispatchEvent(new Event('online'))],
    ['the user comes back to the tab', () => document.dispatchEvent(new Event('visibilitychange'))],
  ])('out of reach, is requested at once when %s', async (_when, happen) => {
    const service = setUp();
    await vi.waitFor(() => expect(service.status()).toBe('error'));
    service.goUp();
    happen();
    await vi.advanceTimersByTimeAsync(0);
    expect(service.status()).toBe('success');
  });
});

/** A screen with one query, and a service that is down. */
const setUp = (error: Error = new UnreachableError(undefined)) => {
  vi.useFakeTimers();
  let isUp = false;
  let probes = 0;
  const respond = async () => {
    if (!isUp) throw error;
    return 'response';
  };
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const stop = retryUnreached(queryClient, () => {
    probes += 1;
    return respond();
  });
  const observer = new QueryObserver(queryClient, { queryKey: ['shown'], queryFn: respond });
  const unsubscribe = observer.subscribe(() => undefined);
  onTestFinished(() => {
    unsubscribe();
    stop();
  });
  return {
    status: () => observer.getCurrentResult().status,
    probes: () => probes,
    goUp: () => {
      isUp = true;
    },
  };
};
