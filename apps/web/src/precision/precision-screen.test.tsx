import type { Precision, StoppedSuggestion } from '@mailsweep/contracts';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderAtRoute, toProblem } from '../testing/render-at-route.tsx';
import { PrecisionScreen } from './precision-screen.tsx';

it('says how often what was called sure or likely was accepted', async () => {
  renderPrecision();
  await screen.findByText('Safe to clean: you agreed with 97 of 100 suggestions.');
  screen.getByText(/^With 95 % certainty, the true share is between 92% and 99%/);
  screen.getByText('Probably: you agreed with 17 of 20 suggestions.');
  const tableOf = (name: string) => screen.getByRole('table', { name }).textContent;
  expect(tableOf('Agreement by week: Safe to clean')).toContain('97% of 100');
  expect(tableOf('Agreement by week: Probably')).toContain('85% of 20');
  expect(tableOf('Agreement by reason: Safe to clean')).toContain('Bulk email');
  await screen.findByText('Everything is suggested.');
});

it('says so where nothing was decided yet, and asks again after a failure', async () => {
  const { api } = renderPrecision(null);
  await screen.findByRole('button', { name: 'Try again' });
  api.precision = NOTHING;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('You have not decided about a suggestion yet.');
  expect(screen.queryByRole('table')).toBeNull();
});

it('says of one band that nothing was decided yet', async () => {
  renderPrecision({ ...PRECISION, likely: UNKNOWN });
  await screen.findByText('Probably: no decision yet.');
});

it('lists what is no longer suggested, and allows it again', async () => {
  const { requests, api } = renderPrecision();
  api.stopped = [
    {
      id: '019a0000-0000-7000-8000-000000000001',
      sender: '0'.repeat(64),
      from: 'Shop <shop@x.example>',
      action: 'archive',
      stoppedAt: '2026-02-01T08:00:00.000Z',
    },
  ];
  const allow = await screen.findByRole('button', { name: 'Allow again: Archive, Shop' });
  api.stopped = [];
  await userEvent.click(allow);
  await screen.findByText('Everything is suggested.');
  expect(requests).toContain('DELETE /api/v1/suggestions/stopped/019a0000-0000-7000-8000-000000000001');
});

const NONE = { decided: 0, agreed: 0 };
const UNKNOWN = { ...NONE, rate: null, low: null, high: null };
const NOTHING: Precision = {
  by: 'week',
  sure: UNKNOWN,
  likely: UNKNOWN,
  check: UNKNOWN,
  spans: [],
  classifications: [],
};
const SURE = { decided: 100, agreed: 97 };
const LIKELY = { decided: 20, agreed: 17 };
const PRECISION: Precision = {
  ...NOTHING,
  sure: { ...SURE, rate: 0.97, low: 0.9155, high: 0.9897 },
  likely: { ...LIKELY, rate: 0.85, low: 0.6396, high: 0.9476 },
  spans: [{ start: '2026-01-26', sure: SURE, likely: LIKELY, check: NONE }],
  classifications: [{ classification: 'bulk', sure: SURE, likely: NONE, check: NONE }],
};

const renderPrecision = (precision: Precision | null = PRECISION) => {
  const api: { precision: Precision | null; stopped: StoppedSuggestion[] } = { precision, stopped: [] };
  const { requests } = renderAtRoute(PrecisionScreen, ({ pathname }) => {
    if (pathname === '/api/v1/precision') return api.precision ?? toProblem(500, 'internal_error');
    if (pathname.startsWith('/api/v1/suggestions/stopped/')) return new Response(null, { status: 204 });
    return { total: api.stopped.length, page: 1, perPage: 100, data: api.stopped };
  });
  return { requests, api };
};
