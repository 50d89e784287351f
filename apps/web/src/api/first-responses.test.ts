import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { firstResponses } from './first-responses.ts';

describe('the first responses', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are there when no request is in flight', async () => {
    const { queryClient, respond, isOver } = waiting(2);
    expect(isOver()).toBe(false);
    await respond(0);
    expect(isOver()).toBe(false);
    await respond(1);
    expect(isOver()).toBe(true);
    queryClient.clear();
  });

  it('are those, too, of what a response leads to', async () => {
    const { queryClient, first, respond, isOver } = waiting(1);
    const second = Promise.withResolvers<number>();
    void first.then(() => queryClient.prefetchQuery({ queryKey: ['second'], queryFn: () => second.promise }));
    await respond(0);
    expect(isOver()).toBe(false);
    second.resolve(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(isOver()).toBe(true);
    queryClient.clear();
  });

  it('are not waited for longer than 400 ms', async () => {
    const { queryClient, isOver } = waiting(1);
    await vi.advanceTimersByTimeAsync(399);
    expect(isOver()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isOver()).toBe(true);
    queryClient.clear();
  });

  it('are there at once where nothing was requested', async () => {
    const { isOver } = waiting(0);
    await vi.advanceTimersByTimeAsync(0);
    expect(isOver()).toBe(true);
  });
});

const waiting = (requests: number) => {
  const queryClient = new QueryClient();
  const pending = Array.from({ length: requests }, () => Promise.withResolvers<number>());
  const [first = Promise.resolve()] = pending.map(({ promise }, key) =>
    queryClient.prefetchQuery({ queryKey: [key], queryFn: () => promise }),
  );
  let isOver = false;
  void firstResponses(queryClient).then(() => {
    isOver = true;
  });
  const respond = async (key: number) => {
    pending[key]?.resolve(key);
    await vi.advanceTimersByTimeAsync(1);
  };
  return { queryClient, first, respond, isOver: () => isOver };
};
