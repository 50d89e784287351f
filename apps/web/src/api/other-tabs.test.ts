import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, describe, expect, it } from 'vitest';
import { changeMailbox } from './mailbox-change.ts';
import { connectTabs } from './other-tabs.ts';
import { EMAIL_LISTS_KEY } from './query-keys.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

describe('another tab', () => {
  it('requests again what it shows when the mailbox was changed, and drops what it does not show', async () => {
    const here = openTab();
    const there = openTab();
    await expect.poll(there.requests).toBe(1);
    there.queryClient.setQueryData(['history', {}], 'what it was');
    await changeMailbox(here.queryClient, async () => 'done');
    await expect.poll(there.requests).toBe(2);
    expect(there.queryClient.getQueryData(['history', {}])).toBeUndefined();
    expect(here.requests()).toBe(1);
  });

  it('does so after a change that failed, which may have been done in part', async () => {
    const here = openTab();
    const there = openTab();
    await expect.poll(there.requests).toBe(1);
    await expect(
      changeMailbox(here.queryClient, async () => {
        throw new Error('offline');
      }),
    ).rejects.toThrow('offline');
    await expect.poll(there.requests).toBe(2);
  });
});

it('a tab of another mailbox is left alone', async () => {
  const here = openTab('ada');
  const there = openTab('ada at work');
  const beside = openTab('ada');
  await expect.poll(there.requests).toBe(1);
  await changeMailbox(here.queryClient, async () => 'done');
  await expect.poll(beside.requests).toBe(2);
  expect(there.requests()).toBe(1);
});

/** A tab that shows a list of emails, and counts how often it is requested. */
const openTab = (userId = 'ada') => {
  let count = 0;
  const queryClient = new QueryClient();
  queryClient.setQueryData(['me'], { userId });
  const list = new QueryObserver(queryClient, {
    queryKey: [...EMAIL_LISTS_KEY, {}],
    queryFn: async () => {
      count += 1;
      return { pages: [{ emails: [] }], pageParams: [undefined] };
    },
  });
  stops.push(
    list.subscribe(() => undefined),
    connectTabs(queryClient),
  );
  return { queryClient, requests: () => count };
};
