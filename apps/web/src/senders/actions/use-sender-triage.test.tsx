import type { CleanupPlan, CreateCleanupRequest } from '@mailsweep/contracts';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import { SenderSheetContext, type SheetSender } from '../../email/sender/sender-button.tsx';
import { type RuleOffer, useRuleOffer } from '../../rules/offer/rule-offer.ts';
import { createHookWrapper } from '../../testing/hook-wrapper.tsx';
import { sampleCleanup, sampleSender } from '../../testing/sample-email.ts';
import { useSenderTriage } from './use-sender-triage.ts';

describe('work on all email of senders', () => {
  it('is planned as one cleanup of every sender that is ticked', () => {
    const { triage } = renderTriage();
    act(() => triage.current.toggleAll());
    act(() => triage.current.requestForTargets('archive'));
    expect(triage.current.cleanup.question?.request).toEqual({
      action: 'archive',
      selection: { type: 'senders', senders: [NEWS.id, SHOP.id], except: [] },
    });
    act(() => triage.current.cleanup.runPlan(sampleCleanup({ total: 3 })));
    expect(triage.current.cleanup.question).toBeNull();
    expect(triage.current.selectedSenders).toEqual([]);
  });

  it('goes on with the next sender once no email is left of one', () => {
    const { triage } = renderTriage();
    act(() => triage.current.activate(NEWS.id));
    act(() => triage.current.requestForTargets('delete'));
    act(() => triage.current.cleanup.runPlan(sampleCleanup({ action: 'delete', total: 2 })));
    expect(triage.current.selection.activeId).toBe(SHOP.id);
  });

  it('stays at a sender of which the plan leaves emails out', () => {
    const { triage } = renderTriage();
    act(() => triage.current.activate(NEWS.id));
    act(() => triage.current.requestForTargets('delete'));
    act(() => triage.current.cleanup.runPlan(sampleCleanup({ action: 'delete', excluded: { starred: 1 } })));
    expect(triage.current.selection.activeId).toBe(NEWS.id);
  });

  it('asks first, and offers a rule once it is done', async () => {
    const { triage, requests, offered } = renderTriage();
    act(() => triage.current.activate(NEWS.id));
    act(() => triage.current.requestForTargets('archive'));
    expect(requests.runs).toBe(0);
    act(() => triage.current.cleanup.runPlan(sampleCleanup({ action: 'archive', total: 1 })));
    await waitFor(() =>
      expect(offered()).toMatchObject({
        key: NEWS.id,
        request: { condition: { type: 'sender', sender: NEWS.id }, action: 'archive', olderThan: 7 },
      }),
    );
  });

  it('leaves a protected sender alone', () => {
    const { triage, requests } = renderTriage({ isProtected: true });
    act(() => triage.current.activate(NEWS.id));
    act(() => triage.current.requestForTargets('delete'));
    expect(triage.current.cleanup.question).toBeNull();
    expect(requests.plans).toEqual([]);
  });

  it('is chosen in the sheet of a sender, which a row opens', () => {
    const { triage, opened } = renderTriage();
    act(() => triage.current.openSender(SHOP.id));
    expect(opened).toEqual([{ senderId: SHOP.id, from: SHOP.from }]);
    expect(triage.current.selection.activeId).toBe(SHOP.id);
  });
});

const NEWS = sampleSender(1, { mails: 2 });
const SHOP = sampleSender(2, { mails: 1 });

/** The hook with an API whose plans have one email. */
const renderTriage = ({ isProtected = false } = {}) => {
  const requests = { plans: [] as CreateCleanupRequest[], runs: 0 };
  const opened: SheetSender[] = [];
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
  const Providers = createHookWrapper(fetch);
  const wrapper = ({ children }: { children: ReactNode }) => (
    <SenderSheetContext value={(sender) => opened.push(sender)}>
      <Providers>{children}</Providers>
    </SenderSheetContext>
  );
  const offered: { current: RuleOffer | null } = { current: null };
  const { result } = renderHook(
    () => {
      offered.current = useRuleOffer();
      return useSenderTriage([{ ...NEWS, protected: isProtected }, SHOP]);
    },
    { wrapper },
  );
  return { triage: result, requests, opened, offered: () => offered.current };
};
