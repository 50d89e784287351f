import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { createApiClient } from '../api/api-client.ts';
import { ApiProvider } from '../api/api-context.tsx';
import { withEmailCache } from '../api/email-cache.ts';
import { sampleSuggested } from '../testing/sample-email.ts';
import { UndoProvider } from '../undo/undo-context.tsx';
import { toSuggestedEmails } from './suggested-email.ts';
import { toSuggestionGroups } from './suggestion-groups.ts';
import { useReview } from './use-review.ts';

afterEach(cleanup);

describe('accepting everything shown', () => {
  it('asks about what is ticked in any group, and accepts exactly that', async () => {
    const { review, confirmed } = renderReview();
    act(() => review.current.toggleEmail('email-2'));
    act(() => review.current.activate('shop@example.com'));
    act(() => review.current.toggleEmail('email-4'));
    expect(review.current.chosenOfAll.map(({ id }) => id)).toEqual(['email-1', 'email-3']);

    act(() => review.current.acceptAll('Accept every suggestion?'));
    expect(review.current.pending?.title).toBe('Accept what is ticked?');
    act(() => review.current.confirmPending());
    await waitFor(() => expect(confirmed).toEqual([['email-1', 'email-3']]));
  });

  it('does nothing when nothing is ticked', () => {
    const { review } = renderReview();
    for (const id of ['email-1', 'email-2', 'email-3', 'email-4']) act(() => review.current.toggleEmail(id));
    act(() => review.current.acceptAll('Accept every suggestion?'));
    expect(review.current.pending).toBeNull();
  });
});

/** Two emails of each of two senders, all with a suggestion; and the ids of each request to accept. */
const renderReview = () => {
  const archive = { action: 'archive', classification: 'newsletter', confidence_score: 0.9 } as const;
  const emails = [1, 2, 3, 4].map((number) =>
    sampleSuggested(number, [archive], {
      from: number < 3 ? 'News <news@example.com>' : 'Shop <shop@example.com>',
    }),
  );
  const groups = toSuggestionGroups(toSuggestedEmails([{ emails }]), 'sender');
  const confirmed: string[][] = [];
  const answer: typeof fetch = async (_url, init) => {
    confirmed.push(JSON.parse(String(init?.body)).emailIds);
    return new Response('{}', { status: 500 });
  };
  const client = createApiClient({ apiOrigin: 'https://api.example.org', fetch: answer });
  const api = { origin: 'https://api.example.org', ...withEmailCache(client) };
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={new QueryClient()}>
      <ApiProvider api={api}>
        <UndoProvider>{children}</UndoProvider>
      </ApiProvider>
    </QueryClientProvider>
  );
  return { review: renderHook(() => useReview(groups), { wrapper }).result, confirmed };
};
