import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { renderAtRoute, toProblem } from '../../testing/render-at-route.tsx';
import { sampleEmail, sampleSender } from '../../testing/sample-email.ts';
import { CommandPalette } from './command-palette.tsx';

const SENDERS = Array.from({ length: 150 }, (_nothing, index) =>
  sampleSender(index, { from: `Shop ${index} <shop${index}@example.com>`, mails: 200 - index }),
);

describe('the command palette', () => {
  it('has commands alone before anything is typed', async () => {
    const { requests } = await renderPalette();
    expect(groups()).toEqual(['Commands']);
    expect(requests).toEqual([]);
  });

  it('finds senders by name or address, on every page of theirs', async () => {
    const { address } = await renderPalette();
    await userEvent.type(field(), 'shop140@');
    await userEvent.click(
      await screen.findByRole('option', { name: /^Shop 140 shop140@example.com · 60 emails/ }),
    );
    expect(address()).toContain(`/senders?sender=${SENDERS[140]?.id}`);
  });

  it('searches the whole mailbox once the typing pauses, and shows the newest emails', async () => {
    const { requests, address } = await renderPalette();
    await userEvent.type(field(), 'garden');
    const email = await screen.findByRole('option', { name: /^Subject 1 Garden & Home/ });
    expect(requests.filter((request) => request.includes('/emails'))).toEqual([
      'GET /api/v1/emails?search=garden&scope=all&pageSize=5',
    ]);
    expect(groups()).toEqual(['Search', 'Emails']);
    await userEvent.click(email);
    expect(address()).toBe('/inbox?q=garden&scope=all&email=email-1');
  });

  it('leads to every email of a search, with the keyboard alone', async () => {
    const { address } = await renderPalette();
    await userEvent.type(field(), 'Sign out');
    await userEvent.keyboard('{ArrowDown}');
    expect(activeOption()?.textContent?.trim()).toBe('Search emails for “Sign out”');
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(address()).toBe('/inbox?q=Sign+out&scope=all'));
  });

  it('keeps the active line when more is found, and says nothing of a search that failed', async () => {
    await renderPalette({ isBroken: true });
    await userEvent.type(field(), 'shop 1');
    const active = activeOption()?.textContent;
    await screen.findByRole('option', { name: /^Shop 1 shop1@/ });
    expect(activeOption()?.textContent).toBe(active);
    expect(groups()).toEqual(['Search', 'Senders']);
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

const field = () => screen.getByRole('combobox', { name: 'Command, sender or email' });
const activeOption = () => document.getElementById(field().getAttribute('aria-activedescendant') ?? '');
const groups = () =>
  within(screen.getByRole('listbox'))
    .getAllByRole('group')
    .map((group) => group.getAttribute('aria-label'));

const renderPalette = async ({ isBroken = false } = {}) => {
  const nothing = () => undefined;
  const rendered = renderAtRoute(
    () => <CommandPalette isOpen onClose={nothing} onHelp={nothing} />,
    ({ pathname, searchParams }) => {
      if (pathname.endsWith('/senders')) {
        const page = Number(searchParams.get('page'));
        const data = SENDERS.slice((page - 1) * 100, page * 100);
        return { total: SENDERS.length, page, perPage: 100, data, complete: true, scannedAt: null };
      }
      if (isBroken) return toProblem(503, 'mailbox_unavailable');
      return { emails: [sampleEmail(1), sampleEmail(2)], nextPageToken: null, total: 2 };
    },
  );
  await screen.findByRole('combobox');
  return rendered;
};
