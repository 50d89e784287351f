import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { SenderSheetContext, type SheetSender } from '../../email/sender/sender-button.tsx';
import { renderAtRoute, toProblem } from '../../testing/render-at-route.tsx';
import { findSenders, sampleEmail, sampleSender } from '../../testing/sample-email.ts';
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

  it('finds senders by name or address', async () => {
    const { opened } = await renderPalette();
    await userEvent.type(field(), 'shop140@');
    await userEvent.click(
      await screen.findByRole('option', { name: /^Shop 140 shop140@example.com · 60 emails/ }),
    );
    expect(opened).toEqual([{ senderId: SENDERS[140]?.id, from: SENDERS[140]?.from }]);
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

  it('takes no more text than can be searched for', async () => {
    const { requests } = await renderPalette();
    await userEvent.click(field());
    await userEvent.paste('x'.repeat(250));
    await waitFor(() =>
      expect(requests).toContain(`GET /api/v1/senders?search=${'x'.repeat(200)}&perPage=5`),
    );
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
  const opened: SheetSender[] = [];
  const rendered = renderAtRoute(
    () => (
      <SenderSheetContext value={(sender) => opened.push(sender)}>
        <CommandPalette isOpen onClose={nothing} onHelp={nothing} />
      </SenderSheetContext>
    ),
    ({ pathname, searchParams }) => {
      if (pathname.endsWith('/senders')) {
        const found = findSenders(SENDERS, searchParams.get('search'));
        const data = found.slice(0, Number(searchParams.get('perPage')));
        return { total: found.length, page: 1, perPage: 5, data, complete: true, scannedAt: null };
      }
      if (isBroken) return toProblem(503, 'mailbox_unavailable');
      return { emails: [sampleEmail(1), sampleEmail(2)], nextPageToken: null, total: 2 };
    },
  );
  await screen.findByRole('combobox');
  return { ...rendered, opened };
};
