import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderAtRoute, toProblem } from '../testing/render-at-route.tsx';
import { sampleScan, sampleSender } from '../testing/sample-email.ts';
import { SendersScreen } from './senders-screen.tsx';

const SENDERS = Array.from({ length: 240 }, (_, index) => sampleSender(index + 1));
const SCAN = sampleScan({ state: 'completed', finishedAt: '2026-01-31T09:40:00.000Z' });

/** The API with these senders; later pages fail while `isDown` is true. */
const renderSenders = (isDown = () => false, more: object = {}) =>
  renderAtRoute(
    SendersScreen,
    ({ pathname, searchParams }) => {
      if (pathname === '/api/v1/scans') return { total: 1, page: 1, perPage: 1, data: [SCAN] };
      if (pathname !== '/api/v1/senders') return { data: [], total: 0, page: 1, perPage: 100 };
      const page = Number(searchParams.get('page'));
      if (page > 1 && isDown()) return toProblem(503, 'mailbox_unavailable');
      const data = SENDERS.slice((page - 1) * 100, page * 100);
      return {
        data,
        total: SENDERS.length,
        page,
        perPage: 100,
        scannedAt: SCAN.finishedAt,
        complete: true,
        ...more,
      };
    },
    '/senders',
  );

it('selects all senders, also those that were not loaded yet', async () => {
  renderSenders();
  await userEvent.click(await screen.findByRole('button', { name: 'Select' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Select all' }));
  expect(await screen.findByText('240 senders')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Select all' })).toBeNull();
});

it('says what accepting the suggestions of the selected senders does, but for protected ones', async () => {
  const senders = [
    sampleSender(1, { suggested: 60, suggestedActions: { archive: 60 } }),
    sampleSender(2, { suggested: 32, suggestedActions: { archive: 8, delete: 24 } }),
    sampleSender(3, { suggested: 5, suggestedActions: { label: 5 }, protected: true }),
  ];
  renderSenders(undefined, { data: senders, total: senders.length });
  await userEvent.click(await screen.findByRole('button', { name: 'Select' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Select all' }));
  expect(await screen.findByRole('button', { name: /^Archive 68, trash 24\b/ })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /Accept/ })).toBeNull();
});

it('lists senders by domain, as the address says', async () => {
  const { requests, address } = renderSenders();
  await userEvent.selectOptions(await screen.findByLabelText('What is one sender'), 'By domain');
  await waitFor(() =>
    expect(requests).toContain('GET /api/v1/senders?by=domain&sort=mails&page=1&perPage=100'),
  );
  expect(address()).toBe('/senders?by=domain');
});

it('selects none when the rest cannot be loaded, and says why', async () => {
  renderSenders(() => true);
  await userEvent.click(await screen.findByRole('button', { name: 'Select' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Select all' }));
  expect(await screen.findByText('The email service is having trouble')).toBeTruthy();
  expect(screen.getByText('0 senders')).toBeTruthy();
});

it('says how many unsubscribes worked, and leads to who still sends', async () => {
  const { requests } = renderSenders(undefined, {
    unsubscribed: { stopped: 7, stillSending: 2, waiting: 1 },
  });
  expect(
    await screen.findByText(/^7 of 9 senders that you unsubscribed from stopped sending\./),
  ).toBeTruthy();
  await userEvent.click(screen.getByRole('link', { name: 'Show who still sends' }));
  expect(await screen.findByRole('heading', { name: 'Still sending' })).toBeTruthy();
  expect(requests).toContain(
    'GET /api/v1/senders?page=1&perPage=100&sort=lastSeen&unsubscribe=still_sending',
  );
});
