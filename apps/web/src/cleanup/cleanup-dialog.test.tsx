import type { CleanupPlan } from '@mailsweep/contracts';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { createApiClient } from '../api/api-client.ts';
import { ApiProvider } from '../api/api-context.tsx';
import { withEmailCache } from '../api/email-cache.ts';
import { LanguageProvider } from '../language/language-provider.tsx';
import { sampleBatch, sampleCleanup, sampleEmail } from '../testing/sample-email.ts';
import { UndoProvider } from '../undo/undo-context.tsx';
import { CleanupDialog } from './cleanup-dialog.tsx';

const sample = [1, 2].map((number) => sampleEmail(number));
const LONG_WAIT = { timeout: 5_000 };

describe('the dialog of a cleanup', () => {
  it('shows some of the emails, counts the rest, and says how to undo', async () => {
    renderDialog(sampleCleanup({ total: 12, sample }));
    await screen.findByText('Archive 12 emails?');
    expect(screen.getAllByRole('listitem')).toHaveLength(2);
    expect(screen.getByText(/^And 10 more\. No other email is touched\./).textContent).toMatch(
      /You can undo this with Z or from the history\.$/,
    );
  });

  it('speaks of no more emails where it shows none', async () => {
    renderDialog(sampleCleanup({ total: 12 }));
    await screen.findByText(/You can undo this/);
    expect(screen.queryByRole('list')).toBeNull();
    expect(screen.queryByText(/more\./)).toBeNull();
  });

  it('speaks of no undo where there is nothing to do', async () => {
    renderDialog(sampleCleanup({ total: 0, excluded: { starred: 4 } }));
    expect((await screen.findByText(/^No email matches/)).textContent).toBe(
      'No email matches, or all that match are left out. Left out: 4 starred. ',
    );
    expect(screen.queryByRole('button', { name: /^Yes/ })).toBeNull();
  });
});

describe('a cleanup', () => {
  it('is undone by the same request when the undo is tried again', async () => {
    const { undoKeys } = renderDialog(sampleCleanup({ total: 3, sample }));
    await userEvent.click(await screen.findByRole('button', { name: 'Yes, all 3' }));
    await userEvent.click(await screen.findByRole('button', { name: /^Undo/ }, LONG_WAIT));
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }, LONG_WAIT));
    await waitFor(() => expect(undoKeys).toHaveLength(2), LONG_WAIT);
    expect(undoKeys[0]).toBeTruthy();
    expect(undoKeys[1]).toBe(undoKeys[0]);
  });
});

/** The dialog, with an API behind it that plans this and fails the first undo. */
const renderDialog = (plan: CleanupPlan) => {
  const undoKeys: (string | null)[] = [];
  const done = { ...plan, state: 'completed', changed: plan.total, finishedAt: plan.updatedAt };
  const batch = sampleBatch({ id: plan.batchId, total: plan.total });
  const respond = (method: string, path: string, headers: Headers): unknown => {
    if (path.endsWith('/run')) return done;
    if (path.endsWith('/undo')) {
      undoKeys.push(headers.get('idempotency-key'));
      return undoKeys.length === 1 ? null : { ...batch, undone: batch.total };
    }
    return method === 'POST' ? plan : { total: 1, page: 1, perPage: 20, data: [batch] };
  };
  const fetch = async (url: string | URL | Request, init: RequestInit = {}) => {
    const path = new URL(String(url)).pathname;
    const body = respond(init.method ?? 'GET', path, new Headers(init.headers));
    if (body === null) throw new TypeError('offline');
    return Response.json(body);
  };
  const origin = 'https://api.example.org';
  render(
    <MantineProvider env="test">
      <LanguageProvider>
        <Notifications />
        <QueryClientProvider client={new QueryClient()}>
          <ApiProvider api={{ origin, ...withEmailCache(createApiClient({ apiOrigin: origin, fetch })) }}>
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
  return { undoKeys };
};
