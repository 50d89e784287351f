import type { Activity } from '@mailsweep/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderAtRoute, toProblem } from '../testing/render-at-route.tsx';
import { ActivityScreen } from './activity-screen.tsx';

it('tells what was cleaned, what that was, and how often each kind was accepted', async () => {
  renderActivity();
  await screen.findByText('1,204');
  const numbers = screen.getAllByRole('definition').map(({ textContent }) => textContent);
  expect(numbers).toEqual(['1,204', '42 MB', '31', '12']);
  expect(rowsOf('Emails by action')).toEqual(['Archived 900', 'Moved to Trash 304']);
  expect(rowsOf('Accepted suggestions by kind')).toEqual(['Bulk email 90% of 1,000', 'Receipts 0% of 3']);
});

it('shows the inbox by day', async () => {
  renderActivity();
  const days = within(await screen.findByRole('list', { name: 'Inbox size by day' })).getAllByRole(
    'listitem',
  );
  expect(days.map(({ textContent }) => textContent)).toEqual([
    'Saturday, January 31: 1,022 emails, 400 unread',
    'Sunday, February 1: 335 emails, 20 unread',
  ]);
});

it('says so where there is nothing yet, and shows who fills the inbox instead of a chart of one day', async () => {
  renderActivity({ ...NOTHING, inboxSizes: [{ day: '2026-02-01', total: 5, unread: 0 }] });
  await screen.findByRole('list', { name: 'Who fills your inbox' });
  await userEvent.click(screen.getByRole('radio', { name: '7 days' }));
  await screen.findByText('Nothing was cleaned in this time.');
  screen.getByText('You decided nothing in this time.');
  expect(screen.queryByText('Your inbox over time')).toBeNull();
});

it('asks for the period that is chosen, and again after a failure', async () => {
  const { requests, api } = renderActivity();
  await screen.findByText('1,204');
  api.activity = null;
  await userEvent.click(screen.getByRole('radio', { name: '7 days' }));
  await screen.findByRole('button', { name: 'Try again' });
  expect(requests).toContain('GET /api/v1/activity?period=weekly');
  api.activity = ACTIVITY;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => screen.getByText('1,204'));
});

const NOTHING: Activity = {
  period: null,
  cleaned: { emails: 0, bytes: 0, senders: 0 },
  byAction: {},
  bySource: {},
  decisions: [],
  silencedSenders: 0,
  inboxSizes: [],
};

const ACTIVITY: Activity = {
  ...NOTHING,
  cleaned: { emails: 1_204, bytes: 44_040_192, senders: 31 },
  byAction: { archive: 900, delete: 304 },
  decisions: [
    { classification: 'bulk', accepted: 900, rejected: 100 },
    { classification: 'receipt', accepted: 0, rejected: 3 },
  ],
  silencedSenders: 12,
  inboxSizes: [
    { day: '2026-01-31', total: 1_022, unread: 400 },
    { day: '2026-02-01', total: 335, unread: 20 },
  ],
};

const rowsOf = (name: string) =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .map((row) =>
      [...row.children]
        .map((cell) => cell.textContent?.trim())
        .filter(Boolean)
        .join(' '),
    );

const renderActivity = (activity: Activity | null = ACTIVITY) => {
  const api = { activity };
  const { requests } = renderAtRoute(
    ActivityScreen,
    ({ pathname }) => {
      if (pathname === '/api/v1/activity') return api.activity ?? toProblem(500, 'internal_error');
      if (pathname === '/api/v1/mailbox') return { inbox: { total: 5, unread: 0 }, categories: [] };
      const data = pathname === '/api/v1/senders' ? [{ inInbox: 3 }, { inInbox: 2 }] : [];
      return { total: 0, page: 1, perPage: 100, complete: true, data };
    },
    '/activity',
  );
  return { requests, api };
};
