import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { pagedQuery, toLoading } from './paged-list.ts';

test('a list drawn during a refetch that changed nothing loads its next page afterwards', async () => {
  const responses: (() => void)[] = [];
  const read = vi.fn(
    ({ page, perPage }: { page: number; perPage: number }) =>
      new Promise<{ page: number; perPage: number; total: number; data: number[] }>((resolve) => {
        responses.push(() => resolve({ page, perPage, total: 2, data: [page] }));
      }),
  );
  const observer = new InfiniteQueryObserver(new QueryClient(), pagedQuery(['list'], read, { perPage: 1 }));
  const draw = () => {
    const result = observer.getCurrentResult();
    return toLoading(observer.trackResult(result) as typeof result);
  };
  let list = draw();
  observer.subscribe(() => {
    list = draw();
  });
  responses.shift()?.();
  await vi.waitFor(() => expect(list.hasMore).toBe(true));

  const refetched = observer.refetch();
  await vi.waitFor(() => expect(responses).toHaveLength(1));
  list = draw();
  responses.shift()?.();
  await refetched;
  list.loadMore();
  await vi.waitFor(() => expect(read.mock.lastCall?.[0].page).toBe(2));
});
