import type { CleanupPlan, CreateCleanupRequest } from '@mailsweep/contracts';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { ApiProvider } from '../api/api-context.tsx';
import { createAppClient } from '../api/app-client.ts';
import { withEmailCache } from '../api/email-cache.ts';
import { LanguageProvider } from '../language/language-provider.tsx';
import { sampleBatch, sampleCleanup, sampleEmail } from '../testing/sample-email.ts';
import { UndoProvider } from '../undo/undo-context.tsx';
import { CleanupDialog } from './cleanup-dialog.tsx';

const sample = [1, 2].map((number) => sampleEmail(number));
const LONG_WAIT = { timeout: 5_000 };

describe('the dialog of a cleanup', () => {
  it('shows its emails with their dates, and says how to undo', async () => {
    renderDialog(sampleCleanup({ total: 2, sample }));
    await screen.findByText('Archive 2 emails?');
    expect(await screen.findAllByRole('checkbox', { name: /^Include/, checked: true })).toHaveLength(2);
    const dates = screen.getAllByRole('listitem').map((item) => item.querySelector('time')?.dateTime);
    expect(dates).toEqual(sample.map(({ date }) => date));
    expect(screen.getByText(/No other email is touched\./).textContent).toMatch(
      /You can undo this, also later from the history\.$/,
    );
  });

  it('leaves out exactly what is unticked, by a plan without it', async () => {
    const { planned, ran } = renderDialog(
      sampleCleanup({ action: 'delete', total: 2, plannedActions: { delete: 2 }, sample }),
    );
    const [first] = await screen.findAllByRole('checkbox', { name: /^Include/ });
    await screen.findByText('2 emails for the trash');
    await userEvent.click(first as HTMLElement);
    await userEvent.click(await screen.findByRole('button', { name: 'Trash 1' }));
    await waitFor(() => expect(ran).toHaveLength(1));
    expect(planned.map(({ selection }) => selection.except)).toEqual([[], [sample[0]?.id]]);
    expect(ran).toEqual([REPLANNED]);
  });

  it('speaks of no undo where there is nothing to do', async () => {
    renderDialog(sampleCleanup({ total: 0, excluded: { starred: 4 } }));
    expect((await screen.findByText(/^No email matches/)).textContent).toBe(
      'No email matches, or all that match are left out. Left out: 4 starred. ',
    );
    expect(screen.queryByRole('button', { name: /^Archive/ })).toBeNull();
  });
});

describe('a cleanup', () => {
  it('is undone by the same request when the undo is tried again', async () => {
    const { undoKeys } = renderDialog(sampleCleanup({ total: 3, sample }));
    await userEvent.click(await screen.findByRole('button', { name: 'Archive 3' }));
    await userEvent.click(await screen.findByRole('button', { name: /^Undo/ }, LONG_WAIT));
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }, LONG_WAIT));
    await waitFor(() => expect(undoKeys).toHaveLength(2), LONG_WAIT);
    expect(undoKeys[0]).toBeTruthy();
    expect(undoKeys[1]).toBe(undoKeys[0]);
  });
});

/** The plan without an unticked email. */
const REPLANNED = '01900000-0000-7000-8000-00000000000f';

/** The dialog with an API that makes this plan and fails the first undo. */
const renderDialog = (plan: CleanupPlan) => {
  // Only rows in sight exist.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(300);
  const planned: CreateCleanupRequest[] = [];
  const ran: (string | undefined)[] = [];
  const undoKeys: (string | null)[] = [];
  const done = { ...plan, state: 'completed', changed: plan.total, finishedAt: plan.updatedAt };
  const batch = sampleBatch({ id: plan.batchId, total: plan.total });
  const emails = plan.sample.map((email) => ({ emailId: email.id, email, outcome: 'open' }));
  const respond = (method: string, path: string, headers: Headers, body: string): unknown => {
    if (path.endsWith('/run')) {
      ran.push(path.split('/').at(-2));
      return done;
    }
    if (path.endsWith('/emails')) return { total: emails.length, page: 1, perPage: 100, data: emails };
    if (path.endsWith('/cleanups') && method === 'POST') {
      planned.push(JSON.parse(body));
      return planned.length === 1 ? plan : { ...plan, id: REPLANNED, total: plan.total - 1 };
    }
    if (path.endsWith('/undo')) {
      undoKeys.push(headers.get('idempotency-key'));
      return undoKeys.length === 1 ? null : { ...batch, undone: batch.total };
    }
    return { total: 1, page: 1, perPage: 20, data: [batch] };
  };
  const fetch = async (url: string | URL | Request, init: RequestInit = {}) => {
    const path = new URL(String(url)).pathname;
    const body = respond(init.method ?? 'GET', path, new Headers(init.headers), String(init.body));
    if (body === null) throw new TypeError('offline');
    return Response.json(body);
  };
  const origin = 'https://api.example.org';
  render(
    <MantineProvider env="test">
      <LanguageProvider>
        <Notifications />
        <QueryClientProvider client={new QueryClient()}>
          <ApiProvider api={{ origin, ...withEmailCache(createAppClient({ apiOrigin: origin, fetch })) }}>
            <UndoProvider>
              <CleanupDialog
                action="archive"
                filters={{}}
                onClose={() => undefined}
                onStart={() => undefined}
              />
            </UndoProvider>
          </ApiProvider>
        </QueryClientProvider>
      </LanguageProvider>
    </MantineProvider>,
  );
  return { undoKeys, planned, ran };
};
