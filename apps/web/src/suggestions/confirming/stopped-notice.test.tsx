import type { StoppedSuggestion } from '@mailsweep/contracts';
import { act, renderHook, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { createHookWrapper } from '../../testing/hook-wrapper.tsx';
import { sampleRecord } from '../../testing/sample-email.ts';
import { useConfirm } from './use-confirm.ts';

describe('rejections that end suggestions', () => {
  it('say so, and offer them again', async () => {
    const { requests } = reject([PIXEL]);
    await screen.findByText('No longer suggested for Pixel Deals: Archive');
    await userEvent.click(screen.getByRole('button', { name: 'Allow again' }));
    await screen.findByText('It may be suggested again');
    expect(requests).toContain(`DELETE /api/v1/suggestions/stopped/${PIXEL.id}`);
  });

  it('of several senders are counted', async () => {
    reject([PIXEL, { ...PIXEL, id: SHOP_ID, sender: '1'.repeat(64), from: 'Shop <shop@x.example>' }]);
    await screen.findByText('No longer suggested for 2 senders');
  });

  it('end the notice when they are undone', async () => {
    reject([PIXEL]);
    await screen.findByText('No longer suggested for Pixel Deals: Archive');
    await userEvent.click(await screen.findByRole('button', { name: /^Undo/ }));
    await waitFor(() =>
      expect(screen.queryByText('No longer suggested for Pixel Deals: Archive')).toBeNull(),
    );
  });

  it('say nothing where suggestions go on', async () => {
    reject(undefined);
    await screen.findByText('1 email left as it was');
    expect(screen.queryByText(/^No longer suggested/)).toBeNull();
  });
});

const SHOP_ID = '019a0000-0000-7000-8000-000000000002';
const PIXEL: StoppedSuggestion = {
  id: '019a0000-0000-7000-8000-000000000001',
  sender: '0'.repeat(64),
  from: 'Pixel Deals <news@pixel.example>',
  action: 'archive',
  stoppedAt: '2026-02-01T08:00:00.000Z',
};

/** Rejects for one email with an API that then reports stopped suggestions. */
const reject = (stopped: StoppedSuggestion[] | undefined) => {
  const requests: string[] = [];
  const record = sampleRecord(1, { action: 'reject' });
  const summary = { total: 1, processed: 1, failed: 0 };
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const { pathname } = new URL(String(url));
    requests.push(`${init?.method} ${pathname}`);
    if (init?.method === 'DELETE') return new Response(null, { status: 204 });
    const { emailId } = record;
    if (pathname.endsWith('/undo')) {
      const undoneAt = '2026-02-01T08:01:00.000Z';
      const results = [{ id: record.id, emailId, status: 'ok', undoneAt }];
      return Response.json({ success: true, execution: 'full', summary, results });
    }
    return Response.json({
      success: true,
      processed: 1,
      emailIds: [emailId],
      action: 'reject',
      data: [record],
      execution: 'full',
      summary,
      results: [{ emailId, status: 'ok' }],
      stopped,
    });
  };
  const { result } = renderHook(useConfirm, { wrapper: createHookWrapper(fetch) });
  act(() => result.current('reject', { emailIds: [record.emailId] }));
  return { requests };
};
