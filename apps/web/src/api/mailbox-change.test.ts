import { QueryClient } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { changeMailbox } from './mailbox-change.ts';
import { MAILBOX_KEY } from './query-keys.ts';

it.each([
  ['is done', async () => 'done'],
  ['has failed', () => Promise.reject(new Error('offline'))],
])('has the numbers of the mailbox requested again once a change %s', async (_what, change) => {
  const queryClient = new QueryClient();
  const keys = [MAILBOX_KEY, ['activity', 'cleaned']];
  for (const key of keys) queryClient.setQueryData(key, 1);
  await changeMailbox(queryClient, change).catch(() => undefined);
  await vi.waitFor(() => {
    for (const key of keys) expect(queryClient.getQueryState(key)?.isInvalidated).toBe(true);
  });
});
