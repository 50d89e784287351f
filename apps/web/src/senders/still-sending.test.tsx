import { DEFAULT_PREFERENCES, type Rule, type Sender } from '@mailsweep/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderAtRoute } from '../testing/render-at-route.tsx';
import { sampleRule, sampleSender } from '../testing/sample-email.ts';
import { StillSending } from './still-sending.tsx';

const NEWS = sampleSender(1, { from: 'News <a@news.example>' });

/** The screen with an API that keeps rules. */
const renderStillSending = (
  senders: Sender[],
  { rules = [], acted = {} }: { rules?: Rule[]; acted?: Partial<Rule> } = {},
) => {
  let stored = rules;
  const sent: [string, unknown][] = [];
  renderAtRoute(
    StillSending,
    ({ pathname }, method, body) => {
      if (pathname.endsWith('/preferences')) return DEFAULT_PREFERENCES;
      if (method !== 'GET') sent.push([`${method} ${pathname}`, body]);
      if (method === 'DELETE') {
        stored = [];
        return new Response(null, { status: 204 });
      }
      if (method === 'POST' && pathname.endsWith('/rules')) {
        const { action } = body as Rule;
        stored = [
          sampleRule({
            condition: { type: 'sender', sender: NEWS.id, from: NEWS.from },
            olderThan: 0,
            action,
          }),
        ];
      }
      if (pathname.endsWith('/undo')) stored = stored.map((rule) => ({ ...rule, ...acted, enabled: false }));
      if (pathname.endsWith('/senders'))
        return { total: senders.length, page: 1, perPage: 100, data: senders };
      const isList = method === 'GET' && pathname.endsWith('/rules');
      return isList
        ? { total: stored.length, page: 1, perPage: 100, data: stored }
        : { ...stored[0], ...acted };
    },
    '/senders',
  );
  return { sent };
};
const RULE_PATH = `/api/v1/rules/${sampleRule().id}`;

it('says so when nobody still sends', async () => {
  renderStillSending([]);
  expect(await screen.findByText('Nobody still sends')).toBeTruthy();
});

it('makes a rule for all email of a sender with one click, and takes it back', async () => {
  const { sent } = renderStillSending([NEWS]);
  await userEvent.click(await screen.findByRole('button', { name: 'Always archive: News' }));
  expect(sent).toEqual([
    [
      'POST /api/v1/rules',
      { condition: { type: 'sender', sender: NEWS.id }, olderThan: 0, action: 'archive', enabled: true },
    ],
  ]);
  expect(await screen.findByRole('link', { name: 'Archive email from News' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Always/ })).toBeNull();
  await userEvent.click(await screen.findByRole('button', { name: /^Undo/ }));
  await waitFor(() => expect(sent.slice(1)).toEqual([[`DELETE ${RULE_PATH}`, {}]]));
  expect(await screen.findByRole('button', { name: 'Always move to Trash: News' })).toBeTruthy();
});

it('undoes what a rule has done already', async () => {
  const { lastRun, counts } = {
    lastRun: {
      at: '2026-01-31T09:30:00.000Z',
      cleanupId: '01900000-0000-7000-8000-000000000003',
      batchId: '01900000-0000-7000-8000-000000000004',
      state: 'completed' as const,
      actions: 2,
      undone: 2,
    },
    counts: { since: '2026-01-31T09:30:00.000Z', runs: 1, actions: 2, undone: 2 },
  };
  const { sent } = renderStillSending([NEWS], { acted: { lastRun, counts } });
  await userEvent.click(await screen.findByRole('button', { name: 'Always move to Trash: News' }));
  await userEvent.click(await screen.findByRole('button', { name: /^Undo/ }));
  expect(await screen.findByText('All runs are undone')).toBeTruthy();
  expect(sent.map(([request]) => request)).toEqual(['POST /api/v1/rules', `POST ${RULE_PATH}/undo`]);
});

it('offers no rule to protected senders, and shows the one that there is', async () => {
  const shop = sampleSender(2, { from: 'Shop <a@shop.example>', protected: true });
  renderStillSending([NEWS, shop], {
    rules: [sampleRule({ condition: { type: 'sender', sender: NEWS.id, from: NEWS.from }, olderThan: 3 })],
  });
  const [news, protectedOne] = await screen.findAllByRole('listitem');
  expect(
    await within(news as HTMLElement).findByRole('link', { name: 'Archive email from News after 3 days' }),
  ).toBeTruthy();
  expect(within(protectedOne as HTMLElement).getByText('Protected')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Always/ })).toBeNull();
});
