import type { CleanupPlan, CreateCleanupRequest, KeptEmail } from '@mailsweep/contracts';
import { act, renderHook, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type RuleOffer, useRuleOffer } from '../../rules/offer/rule-offer.ts';
import { createHookWrapper } from '../../testing/hook-wrapper.tsx';
import { sampleCleanup, sampleKept, sampleSender } from '../../testing/sample-email.ts';
import { useSenderTriage } from './use-sender-triage.ts';

describe('work on all email of senders', () => {
  it('is planned as one cleanup of every sender that is ticked', () => {
    const { triage } = renderTriage();
    act(() => triage.current.toggleAll());
    act(() => triage.current.requestForTargets('archive'));
    expect(triage.current.question?.request).toEqual({
      action: 'archive',
      selection: { type: 'senders', senders: [NEWS.id, SHOP.id], except: [] },
    });
    act(() => triage.current.runPlan(sampleCleanup({ total: 3 })));
    expect(triage.current.question).toBeNull();
    expect(triage.current.selectedSenders).toEqual([]);
  });

  it('goes on with the next sender once no email is left of one', () => {
    const { triage, opened } = renderTriage({ isOpen: true });
    act(() => triage.current.activate(NEWS.id));
    act(() => triage.current.requestForTargets('delete'));
    act(() => triage.current.runPlan(sampleCleanup({ action: 'delete', total: 2 })));
    expect(triage.current.selection.activeId).toBe(SHOP.id);
    expect(opened).toEqual([SHOP.id]);
  });

  it('stays at a sender of which the plan leaves emails out', () => {
    const { triage, opened } = renderTriage({ isOpen: true });
    act(() => triage.current.activate(NEWS.id));
    act(() => triage.current.requestForTargets('delete'));
    act(() => triage.current.runPlan(sampleCleanup({ action: 'delete', excluded: { starred: 1 } })));
    expect(triage.current.selection.activeId).toBe(NEWS.id);
    expect(opened).toEqual([]);
  });
});

describe('work on the open sender', () => {
  it('runs at once where it is as shown, without the emails that are unticked', async () => {
    const { triage, requests } = renderTriage({ isOpen: true, leftOut: ['email-2'] });
    act(() => triage.current.requestForTargets('archive'));
    await waitFor(() => expect(requests.runs).toBe(1));
    expect(requests).toEqual({
      plans: [{ action: 'archive', selection: { type: 'senders', senders: [NEWS.id], except: ['email-2'] } }],
      runs: 1,
    });
    expect(triage.current.question).toBeNull();
  });

  it('offers a rule once it is done, and not where emails are unticked', async () => {
    const whole = renderTriage({ isOpen: true });
    act(() => whole.triage.current.requestForTargets('archive'));
    await waitFor(() =>
      expect(whole.offered()).toMatchObject({
        key: NEWS.id,
        request: { condition: { type: 'sender', sender: NEWS.id }, action: 'archive', olderThan: 7 },
      }),
    );
    const part = renderTriage({ isOpen: true, leftOut: ['email-2'] });
    act(() => part.triage.current.requestForTargets('archive'));
    await waitFor(() => expect(part.requests.runs).toBe(1));
    expect(part.offered()).toBeNull();
  });

  it.each(['delete', 'accept'] as const)('asks first where %s moves emails to the trash', (work) => {
    const { triage, requests } = renderTriage({ isOpen: true });
    act(() => triage.current.requestForTargets(work));
    expect(triage.current.question?.request.action).toBe(work);
    expect(requests).toEqual({ plans: [], runs: 0 });
  });
});

const NEWS = sampleSender(1, { mails: 2 });
const SHOP = sampleSender(2, { mails: 1 });
const OLD = { action: 'delete', classification: 'promotions_old', confidence_score: 0.9 } as const;
const EMAILS = [sampleKept(1, { suggestions: [OLD] }), sampleKept(2)];

/** The hook in front of an API whose plans concern one email. */
const renderTriage = ({ isOpen = false, leftOut = [] as string[] } = {}) => {
  const requests = { plans: [] as CreateCleanupRequest[], runs: 0 };
  const opened: (string | undefined)[] = [];
  const plan: CleanupPlan = sampleCleanup({ total: 1, plannedActions: { archive: 1 } });
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const { pathname } = new URL(String(url));
    if (pathname === '/api/v1/rules') return Response.json({ total: 0, page: 1, perPage: 100, data: [] });
    const isRun = pathname.endsWith('/run');
    if (isRun) requests.runs += 1;
    else if (init?.method === 'POST') requests.plans.push(JSON.parse(String(init.body)));
    return Response.json(
      isRun ? { ...plan, state: 'completed', changed: 1, changedActions: { archive: 1 } } : plan,
    );
  };
  const wrapper = createHookWrapper(fetch);
  const emails: KeptEmail[] = isOpen ? EMAILS : [];
  const open = {
    id: isOpen ? NEWS.id : undefined,
    emails,
    chosen: emails.filter(({ id }) => !leftOut.includes(id)),
    leftOut: new Set(leftOut),
    toggleEmail: () => undefined,
    isPending: false,
    error: null,
    retry: () => undefined,
  };
  const offered: { current: RuleOffer | null } = { current: null };
  const { result } = renderHook(
    () => {
      offered.current = useRuleOffer();
      return useSenderTriage({ senders: [NEWS, SHOP], open, setOpenId: (id) => opened.push(id) });
    },
    { wrapper },
  );
  return { triage: result, requests, opened, offered: () => offered.current };
};
