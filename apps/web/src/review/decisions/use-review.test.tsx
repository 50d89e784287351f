import type { CleanupPlan, ConfirmRequest, CreateCleanupRequest } from '@mailsweep/contracts';
import { act, renderHook, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { toSuggestedEmails } from '../../suggestions/suggested-email.ts';
import { createHookWrapper } from '../../testing/hook-wrapper.tsx';
import { sampleCleanup, sampleKept, sampleSuggestionGroup } from '../../testing/sample-email.ts';
import { toQueueGroup } from '../queue/queue-group.ts';
import { useReview } from './use-review.ts';

describe('accepting a group', () => {
  it('runs the plan at once where nothing goes to the trash, without the emails that are unticked', async () => {
    const { review, requests } = renderReview();
    act(() => review.current.toggleEmail(newsEmail));
    expect(review.current.chosenCount).toBe(2);
    act(() => review.current.acceptGroup());
    await screen.findByText('2 emails archived');
    expect(requests.plans).toEqual([
      {
        action: 'accept',
        selection: { type: 'suggestions', sender: NEWS.key, minAcceptance: 0.95, except: ['email-1'] },
      },
    ]);
    expect(requests.runs).toBe(1);
    expect(review.current.cleanup.question).toBeNull();
  });

  it('asks where emails go to the trash, before anything is planned', () => {
    const { review, requests } = renderReview();
    act(() => review.current.activate(SHOP.key));
    act(() => review.current.acceptGroup());
    expect(review.current.cleanup.question?.request.selection).toMatchObject({
      sender: SHOP.key,
      except: [],
    });
    expect(requests.plans).toEqual([]);
  });

  it.each([
    ['has more emails than were shown', { total: 9, plannedActions: { archive: 9 } }],
    ['moves emails to the trash after all', { total: 2, plannedActions: { archive: 1, delete: 1 } }],
  ])('asks when the plan %s', async (_what, plan) => {
    const { review, requests } = renderReview(plan);
    act(() => review.current.acceptGroup());
    await waitFor(() => expect(review.current.cleanup.question?.plan).toMatchObject(plan));
    expect(requests.runs).toBe(0);
  });

  it('does what the user chose instead, and asks where that is the trash', async () => {
    const { review, requests } = renderReview();
    act(() => review.current.setOther(NEWS.key, { action: 'label', label: '' }));
    act(() => review.current.acceptGroup());
    expect(requests.plans).toEqual([]);
    act(() => review.current.setOther(NEWS.key, { action: 'label', label: ' Reading ' }));
    act(() => review.current.acceptGroup());
    await waitFor(() => expect(requests.plans).toMatchObject([{ action: 'label', label: 'Reading' }]));
    act(() => review.current.activate(NEWS.key));
    act(() => review.current.setOther(NEWS.key, { action: 'delete', label: '' }));
    act(() => review.current.acceptGroup());
    expect(review.current.cleanup.question?.request).toMatchObject({
      action: 'delete',
      selection: { type: 'suggestions', sender: NEWS.key },
    });
  });

  it('accepts what is suggested where the user chose just that, so that it is learned', async () => {
    const { review, requests } = renderReview();
    act(() => review.current.setOther(NEWS.key, { action: 'archive', label: '' }));
    act(() => review.current.acceptGroup());
    await waitFor(() => expect(requests.plans).toMatchObject([{ action: 'accept' }]));
  });

  it('takes another action for one email alone', async () => {
    const { review, requests } = renderReview();
    act(() => review.current.setOther(newsEmail.id, { action: 'delete', label: '' }));
    act(() => review.current.decideOne('accept', newsEmail));
    await waitFor(() =>
      expect(requests.confirmed).toEqual([{ emailIds: ['email-1'], action: 'accept', as: 'delete' }]),
    );
    act(() => review.current.decideOne('reject', newsEmail));
    await waitFor(() => expect(requests.confirmed[1]).toEqual({ emailIds: ['email-1'], action: 'reject' }));
  });

  it('does nothing where all of it is advice, until the user chooses an action', async () => {
    const { review, requests } = renderReview();
    act(() => review.current.activate(ADVICE.key));
    act(() => review.current.acceptGroup());
    act(() => review.current.decideOne('accept', advisedEmail));
    expect(review.current.canAcceptOne(advisedEmail)).toBe(false);
    act(() => review.current.decideOne('reject', advisedEmail));
    await waitFor(() => expect(requests.confirmed).toEqual([{ emailIds: ['email-9'], action: 'reject' }]));
    expect(requests.plans).toEqual([]);

    act(() => review.current.activate(ADVICE.key));
    act(() => review.current.setOther(ADVICE.key, { action: 'archive', label: '' }));
    act(() => review.current.acceptGroup());
    await waitFor(() => expect(requests.plans).toMatchObject([{ action: 'archive' }]));
  });

  it('says so where every email is left out of the plan', async () => {
    const { review, requests } = renderReview({ total: 0, plannedActions: {}, excluded: { starred: 3 } });
    act(() => review.current.acceptGroup());
    await screen.findByText('Nothing was changed');
    await screen.findByText('Left out: 3 starred.');
    expect(requests.runs).toBe(0);
  });
});

describe('accepting everything shown', () => {
  it('always asks, without what is unticked in any group', () => {
    const { review } = renderReview();
    act(() => review.current.toggleEmail(newsEmail));
    expect(review.current.chosenOfAll).toEqual({ archive: 2, delete: 2, read_first: 2 });
    act(() => review.current.acceptAll());
    expect(review.current.cleanup.question?.request).toEqual({
      action: 'accept',
      selection: { type: 'suggestions', minAcceptance: 0.95, except: ['email-1'] },
    });
  });
});

describe('rejecting a group', () => {
  it('rejects every email of it but the unticked ones, loaded or not', async () => {
    const { review, requests } = renderReview();
    act(() => review.current.toggleEmail(newsEmail));
    act(() => review.current.rejectGroup());
    await waitFor(() =>
      expect(requests.confirmed).toEqual([{ emailIds: ['email-2', 'email-3'], action: 'reject' }]),
    );
  });
});

const NEWS = sampleSuggestionGroup({ emails: 3 });
const SHOP = sampleSuggestionGroup({
  key: 'b'.repeat(64),
  from: 'Shop <shop@example.com>',
  emails: 2,
  actions: { delete: 2 },
});
const ADVICE = sampleSuggestionGroup({
  key: 'c'.repeat(64),
  from: 'Ada <ada@example.net>',
  emails: 2,
  actions: { read_first: 2 },
});
const ARCHIVE = { action: 'archive', classification: 'bulk', confidence_score: 0.95 } as const;
const newsEmails = [1, 2, 3].map((number) => sampleKept(number, { suggestions: [ARCHIVE] }));
const [newsEmail] = toSuggestedEmails(newsEmails) as [ReturnType<typeof toSuggestedEmails>[number]];
const [advisedEmail] = toSuggestedEmails([
  sampleKept(9, { suggestions: [{ ...ARCHIVE, action: 'read_first' }] }),
]) as [ReturnType<typeof toSuggestedEmails>[number]];

/** The hook with an API that makes this plan for every request. */
const renderReview = (plan: Partial<CleanupPlan> = { total: 2, plannedActions: { archive: 2 } }) => {
  const requests = { plans: [] as CreateCleanupRequest[], runs: 0, confirmed: [] as ConfirmRequest[] };
  const planned = sampleCleanup({ action: 'accept', ...plan });
  const respond = (path: string, method: string | undefined, body: string): unknown => {
    if (path.endsWith('/run')) {
      requests.runs += 1;
      const { total, plannedActions } = planned;
      return { ...planned, state: 'completed', changed: total, changedActions: plannedActions };
    }
    if (path.endsWith('/confirm')) {
      requests.confirmed.push(JSON.parse(body));
      return {};
    }
    if (path.endsWith('/stored')) return { total: 3, page: 1, perPage: 100, data: newsEmails };
    if (method === 'POST') requests.plans.push(JSON.parse(body));
    return planned;
  };
  const fetch: typeof globalThis.fetch = async (url, init) =>
    Response.json(respond(new URL(String(url)).pathname, init?.method, String(init?.body)));
  const wrapper = createHookWrapper(fetch);
  const queue = {
    groups: [NEWS, SHOP, ADVICE].map(toQueueGroup),
    emails: 7,
    actions: { archive: 3, delete: 2, read_first: 2 },
  };
  const view = { by: 'sender', minAcceptance: 0.95 } as const;
  const { result } = renderHook(() => useReview({ queue, view, hold: () => undefined }), { wrapper });
  return { review: result, requests };
};
