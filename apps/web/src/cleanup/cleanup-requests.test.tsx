import type { CleanupPlan } from '@mailsweep/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { renderAtRoute, toProblem } from '../testing/render-at-route.tsx';
import { sampleCleanup, sampleEmail } from '../testing/sample-email.ts';
import { CleanupBanner } from './cleanup-banner.tsx';

const sample = [1, 2].map((number) => sampleEmail(number));
const ASKED = sampleCleanup({
  state: 'awaiting_confirmation',
  askedBy: 'Assistant\u202e',
  action: 'delete',
  total: 2,
  plannedActions: { delete: 2 },
  excluded: { starred: 4 },
  sample,
});
const PATH = `/api/v1/cleanups/${ASKED.id}`;
const OTHER_ID = '01900000-0000-7000-8000-00000000000f';

describe('a cleanup that a program asks for', () => {
  it('says who asks for what, and runs once the user confirms it', async () => {
    const { requests } = renderRequests();
    const request = await findRequest();
    expect(request.element.textContent).toContain('asks: Move 2 emails to Trash?');
    expect(request.element.textContent).toContain('Asked for: Inbox.');
    expect(request.element.textContent).toContain('Left out: 4 starred.');
    expect(request.element.textContent).toMatch(/Waits until .*2026/);
    expect(request.getByText('Assistant\u202e').tagName).toBe('BDI');
    expect(changesOf(requests)).toEqual([]);
    await userEvent.click(request.getByRole('button', { name: 'Confirm' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Confirmation request' })).toBeNull());
    expect(changesOf(requests)).toEqual([`POST ${PATH}/run`]);
  });

  it('is declined', async () => {
    const { requests } = renderRequests();
    await userEvent.click((await findRequest()).getByRole('button', { name: 'Decline' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Confirmation request' })).toBeNull());
    expect(changesOf(requests)).toEqual([`POST ${PATH}/cancel`]);
  });

  it('stays where it could not be declined', async () => {
    renderRequests({ failing: true });
    await userEvent.click((await findRequest()).getByRole('button', { name: 'Decline' }));
    await screen.findByText(/temporarily|try again/i);
    await findRequest();
  });

  it('shows its emails; without some of them it is another plan, and this one is declined', async () => {
    const { requests } = renderRequests();
    await userEvent.click((await findRequest()).getByRole('button', { name: 'Show emails' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Move 2 emails to Trash?' }));
    const [first] = await dialog.findAllByRole('checkbox', { name: /^Include/ });
    await userEvent.click(first as HTMLElement);
    await userEvent.click(await dialog.findByRole('button', { name: 'Trash 1' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Confirmation request' })).toBeNull());
    expect(changesOf(requests).toSorted()).toEqual(
      ['POST /api/v1/cleanups', `POST ${PATH}/cancel`, `POST /api/v1/cleanups/${OTHER_ID}/run`].toSorted(),
    );
  });

  it('is not there where nothing asks', async () => {
    const { requests } = renderRequests({ plan: sampleCleanup({ state: 'completed' }) });
    await waitFor(() => expect(requests.some((line) => line.includes('/cleanups?'))).toBe(true));
    expect(screen.queryByRole('region', { name: 'Confirmation request' })).toBeNull();
  });
});

const changesOf = (requests: string[]) => requests.filter((request) => request.startsWith('POST'));

const findRequest = async () => {
  const element = await screen.findByRole('region', { name: 'Confirmation request' });
  return { element, ...within(element) };
};

/** The banner with an API that has this cleanup. */
const renderRequests = ({
  plan = ASKED,
  failing = false,
}: {
  plan?: CleanupPlan;
  failing?: boolean;
} = {}) => {
  // Only rows in sight exist.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(300);
  let kept: CleanupPlan = plan;
  const done = { state: 'completed', changed: 2, finishedAt: plan.updatedAt } as const;
  return renderAtRoute(CleanupBanner, ({ pathname }, method) => {
    if (failing && method === 'POST') return toProblem(503, 'database_unavailable');
    if (pathname === PATH) return kept;
    if (pathname.endsWith('/emails')) {
      const data = sample.map((email) => ({ emailId: email.id, email, outcome: 'open' }));
      return { total: data.length, page: 1, perPage: 100, data };
    }
    if (pathname === '/api/v1/cleanups' && method === 'POST')
      return { ...plan, id: OTHER_ID, state: 'planned', total: 1 };
    if (pathname === `${PATH}/run`) {
      kept = { ...plan, ...done };
      return kept;
    }
    if (pathname === `${PATH}/cancel`) {
      kept = { ...plan, state: 'cancelled' };
      return kept;
    }
    if (pathname.endsWith('/run')) return { ...plan, id: OTHER_ID, ...done };
    return { total: 1, page: 1, perPage: 20, data: [kept] };
  });
};
