import type { ActionBatch, ActionHistoryRecord, BatchSender } from '@mailsweep/contracts';
import { QueryObserver } from '@tanstack/react-query';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { SUGGESTION_GROUPS_KEY } from '../api/query-keys.ts';
import { renderAtRoute } from '../testing/render-at-route.tsx';
import { sampleBatch, sampleEmail, sampleRecord } from '../testing/sample-email.ts';
import { HistoryScreen } from './history-screen.tsx';

describe('the history', () => {
  it('names the senders of a batch, each in its own direction, and says when there are more', async () => {
    renderHistory();
    const line = (await screen.findByText('\u05d7\u05e0\u05d5\u05ea')).parentElement;
    expect([...(line?.querySelectorAll('bdi') ?? [])].map((name) => name.textContent)).toEqual([
      '\u05d7\u05e0\u05d5\u05ea',
      'Garden & Home',
    ]);
    expect(line?.textContent).toBe('\u05d7\u05e0\u05d5\u05ea, Garden & Home and others');
  });

  it('groups the emails of a batch by sender, and undoes those of one sender', async () => {
    const { undone, queryClient } = renderHistory();
    const countSuggestions = vi.fn(async () => 0);
    const options = { queryKey: SUGGESTION_GROUPS_KEY, queryFn: countSuggestions };
    new QueryObserver(queryClient, options).subscribe(() => undefined);
    await userEvent.click(await screen.findByRole('button', { name: /^Archived 150 emails/ }));
    const undo = await screen.findByRole('button', { name: 'Undo for 120 emails from Garden & Home' });
    expect(await screen.findByText('Sender not known any more')).toBeTruthy();
    await userEvent.click(undo);
    await waitFor(() => expect(undone).toHaveLength(1));
    expect(undone[0]).toEqual(RECORDS.slice(1).map(({ id }) => id));
    expect(await screen.findByText('Undone for 120 emails')).toBeTruthy();
    // Any screen may be open: the last action is undone from everywhere.
    await waitFor(() => expect(countSuggestions).toHaveBeenCalledTimes(2));
  });

  it('shows subject and date of each email of a sender, with an undo of its own', async () => {
    const { undone } = renderHistory();
    await userEvent.click(await screen.findByRole('button', { name: /^Archived 150 emails/ }));
    await userEvent.click(await screen.findByRole('button', { name: /^Garden & Home/ }));
    const record = (await screen.findByText('Subject 2')).closest('li');
    if (!record) throw new Error('the email is in no list');
    await waitFor(() =>
      expect(record.querySelector('time')?.getAttribute('datetime')).toBe(sampleEmail(2).date),
    );
    await userEvent.click(within(record).getByRole('button', { name: 'Undo for Subject 2' }));
    await waitFor(() => expect(undone).toEqual([[RECORDS[1]?.id]]));
  });

  it('searches on the server, also within the batches that are opened', async () => {
    const { requests } = renderHistory();
    await userEvent.type(await screen.findByLabelText('Search the history'), 'tools');
    await waitFor(() =>
      expect(requests.some((request) => /batches\?.*search=tools/.test(request))).toBe(true),
    );
    await userEvent.click(await screen.findByRole('button', { name: /^Archived 150 emails/ }));
    await waitFor(() =>
      expect(requests.some((request) => /\/senders\?.*search=tools/.test(request))).toBe(true),
    );
  });
});

const GARDEN = 'a'.repeat(64);
const BATCH: ActionBatch = sampleBatch({
  total: 150,
  senders: {
    count: 9,
    top: [
      { from: '\u05d7\u05e0\u05d5\u05ea <shop@shop.example>', emails: 130 },
      { from: 'Garden & Home <news@garden.example>', emails: 121 },
    ],
  },
});
const SENDERS: BatchSender[] = [
  { sender: GARDEN, from: 'Garden & Home <news@garden.example>', emails: 121, unchanged: 0, undone: 1 },
  { sender: null, from: '', emails: 2, unchanged: 0, undone: 0 },
];
/** The records of the first sender: more than a page; the first is undone. */
const RECORDS: ActionHistoryRecord[] = Array.from({ length: 121 }, (_, index) =>
  sampleRecord(index + 1, { undoneAt: index === 0 ? '2026-01-31T09:30:00.000Z' : null }),
);

/** The screen with an API that has one batch. */
const renderHistory = () => {
  const undone: string[][] = [];
  const toPage = (data: unknown[], query: URLSearchParams) => {
    const [page, perPage] = [Number(query.get('page')), Number(query.get('perPage'))];
    return { total: data.length, page, perPage, data: data.slice((page - 1) * perPage, page * perPage) };
  };
  const drawn = renderAtRoute(
    HistoryScreen,
    ({ pathname, searchParams }, _method, body) => {
      if (pathname.endsWith('/undo')) {
        const { ids } = body as { ids: string[] };
        undone.push(ids);
        const results = ids.map((id) => ({ id, emailId: id, status: 'ok', undoneAt: BATCH.startedAt }));
        const summary = { total: ids.length, processed: ids.length, failed: 0 };
        return { success: true, execution: 'full', summary, results };
      }
      if (pathname.endsWith('/senders')) return toPage(SENDERS, searchParams);
      if (pathname.endsWith('/batches')) return toPage([BATCH], searchParams);
      if (pathname.endsWith('/lookup')) {
        const { emailIds } = body as { emailIds: string[] };
        return { emails: emailIds.map((id) => sampleEmail(Number(id.replace('email-', '')))) };
      }
      return toPage(RECORDS, searchParams);
    },
    '/history',
  );
  return { ...drawn, undone };
};
