import type { CleanupPlan, Sender, SenderDetails } from '@mailsweep/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { SenderButton } from '../email/sender/sender-button.tsx';
import { renderAtRoute, toProblem } from '../testing/render-at-route.tsx';
import { sampleCleanup, sampleSender } from '../testing/sample-email.ts';
import { SenderSheetProvider } from './sender-sheet-provider.tsx';

const NEWS: SenderDetails = {
  ...sampleSender(1, { from: 'News <a@news.example>', mails: 12, inInbox: 9, unread: 4 }),
  takes: { archive: 8, delete: 10, mark_read: 3, label: 11 },
  excluded: { starred: 2 },
};

describe('the sheet of a sender', () => {
  it('says of each action how many emails it takes, and what is left out', async () => {
    await openSheet({});
    const dialog = await screen.findByRole('dialog', { name: /News/ });
    for (const name of ['Archive 8 emails', 'Trash 10 emails', 'Mark read 3 emails', 'Label 11 emails']) {
      expect(await within(dialog).findByRole('button', { name })).toBeTruthy();
    }
    expect(dialog.textContent).toContain('12 emails (3 kB), 9 in the inbox, 4 unread');
    expect(dialog.textContent).toMatch(/67% read.*Last read: Jan 12/);
    expect(within(dialog).getByRole('link', { name: 'Show these emails' }).getAttribute('href')).toBe(
      '/inbox?q=from%3Aa%40news.example&scope=all',
    );
    expect(dialog.textContent).toContain('Left out: 2 starred.');
  });

  it('makes a rule in the same step, off until the plan was shown and chosen', async () => {
    const { sent } = await openSheet({});
    await userEvent.click(await screen.findByRole('button', { name: 'Archive 8 emails' }));
    const question = await screen.findByRole('dialog', { name: 'Archive 8 emails?' });
    const also = await within(question).findByRole<HTMLInputElement>('checkbox', {
      name: /^Also future email/,
    });
    expect(also.checked).toBe(false);
    await userEvent.click(also);
    // The question goes, the sheet stays.
    await userEvent.keyboard('{Escape}');

    // What was not shown stays off.
    await userEvent.click(await screen.findByRole('button', { name: 'Mark read 3 emails' }));
    const other = await screen.findByRole('dialog', { name: 'Mark 8 emails read?' });
    const again = await within(other).findByRole<HTMLInputElement>('checkbox', {
      name: /^Also future email/,
    });
    expect(again.checked).toBe(false);
    await userEvent.click(again);
    await userEvent.click(within(other).getByRole('button', { name: 'Mark 8 read' }));
    await waitFor(() =>
      expect(sent('/api/v1/rules')).toEqual([
        {
          condition: { type: 'sender', sender: NEWS.id },
          action: 'mark_read',
          olderThan: 0,
          enabled: true,
        },
      ]),
    );
    expect(await screen.findByText('Rule created')).toBeTruthy();
  });

  it('takes all but the newest, and has a rule do the same', async () => {
    const { sent } = await openSheet({});
    await userEvent.selectOptions(await screen.findByLabelText('Which emails'), 'All but the newest 3');
    await userEvent.click(await screen.findByRole('button', { name: 'Archive up to 8 emails' }));
    const question = await screen.findByRole('dialog', { name: 'Archive 8 emails?' });
    expect(question.textContent).toContain('Planned: all but the newest 3.');
    await userEvent.click(
      within(question).getByRole('checkbox', { name: /^Also future email.*newer email/ }),
    );
    await userEvent.click(within(question).getByRole('button', { name: 'Archive 8' }));
    await waitFor(() => expect(sent('/api/v1/rules')).toMatchObject([{ olderThan: 0, keepNewest: 3 }]));
    expect(sent('/api/v1/cleanups')).toEqual([
      {
        action: 'archive',
        selection: { type: 'senders', senders: [NEWS.id], keepNewest: 3, except: [] },
      },
    ]);
  });

  it('takes what is older', async () => {
    const { sent } = await openSheet({});
    await userEvent.selectOptions(await screen.findByLabelText('Which emails'), 'Older than 90 days');
    await userEvent.click(await screen.findByRole('button', { name: 'Trash up to 10 emails' }));
    await waitFor(() => expect(sent('/api/v1/cleanups')).toMatchObject([{ selection: { olderThan: 90 } }]));
  });

  it('labels with the name that is typed, and makes no rule that was not asked for', async () => {
    const { sent } = await openSheet({});
    await userEvent.click(await screen.findByRole('button', { name: 'Label 11 emails' }));
    await userEvent.type(screen.getByRole('textbox', { name: 'Name of the label' }), 'Papers{Enter}');
    await screen.findByRole('dialog', { name: 'Label 8 emails?' });
    await userEvent.click(await screen.findByRole('button', { name: 'Label 8' }));
    await waitFor(() => expect(sent('/api/v1/cleanups')).toHaveLength(1));
    expect(sent('/api/v1/cleanups')).toMatchObject([{ action: 'label', label: 'Papers' }]);
    expect(sent('/api/v1/rules')).toEqual([]);
  });

  it('accepts what is suggested, which no rule can do', async () => {
    const { sent } = await openSheet({ suggested: 8 });
    await userEvent.click(await screen.findByRole('button', { name: 'Accept 8 suggestions' }));
    await screen.findByRole('dialog', { name: 'Accept the suggestions for 8 emails?' });
    const yes = await screen.findByRole('button', { name: 'Archive 8' });
    expect(screen.queryByRole('checkbox', { name: /^Also future email/ })).toBeNull();
    await userEvent.click(yes);
    await waitFor(() => expect(sent('/api/v1/cleanups')).toMatchObject([{ action: 'accept' }]));
  });

  it('does nothing to all email of a protected sender, and says why', async () => {
    await openSheet({ protected: true, takes: { archive: 0, delete: 0, mark_read: 0, label: 0 } });
    const archive = await screen.findByRole<HTMLButtonElement>('button', { name: 'Archive 0 emails' });
    expect(archive.disabled).toBe(true);
    expect(screen.getByText(/^This sender is protected/)).toBeTruthy();
  });

  it('shows the addresses of a group, and unsubscribes from one of each name', async () => {
    const offer = { ...NOTHING, method: 'one_click' as const, host: 'u.news.example' };
    const members = [
      sampleSender(2, { from: 'News <bounce+1@news.example>', unsubscribe: offer, unread: 0 }),
      sampleSender(3, {
        from: 'News <bounce+2@news.example>',
        unsubscribe: offer,
        lastSeen: '2026-02-01T09:30:00.000Z',
      }),
      sampleSender(4, { from: 'Shop <shop@news.example>', unsubscribe: offer }),
      sampleSender(5, {
        from: 'Ann <ann@news.example>',
        unsubscribe: { ...offer, state: 'accepted', at: '2026-02-01T09:30:00.000Z' },
      }),
    ];
    const group = { by: 'domain', name: 'news.example', addresses: 4 } as const;
    const { sent, requests } = await openSheet({ group }, members);
    const dialog = await screen.findByRole('dialog');
    const list = await within(dialog).findByRole('region', { name: 'Addresses' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Keep: protect this sender' }));
    await waitFor(() => expect(requests).toContain(`PUT /api/v1/protections/${NEWS.id}`));
    expect(
      within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      expect.stringMatching(/^bounce\+1@news\.example .*3 emails · 100% read · 2 in the inbox · 3 kB · /),
      expect.stringContaining('bounce+2@news.example'),
      expect.stringContaining('shop@news.example'),
      expect.stringMatching(/ann@news\.example.* · Unsubscribed \(u\.news\.example\)$/),
    ]);
    expect(list.textContent).toContain('Unsubscribing: 4 of 4 addresses offer it, 1 asked.');
    expect(within(dialog).getByRole('link', { name: 'Show these emails' }).getAttribute('href')).toBe(
      '/inbox?q=from%3A%40news.example&scope=all',
    );
    await userEvent.selectOptions(within(list).getByLabelText('Order'), 'Most in the inbox');
    await waitFor(() =>
      expect(requests).toContain(`GET /api/v1/senders?sort=inInbox&group=${NEWS.id}&page=1&perPage=100`),
    );

    await userEvent.click(within(list).getByRole('button', { name: 'Unsubscribe from 2 senders' }));
    const question = await screen.findByRole('dialog', { name: /^Unsubscribe from 2/ });
    await userEvent.click(within(question).getByRole('button', { name: /^Unsubscribe/ }));
    await waitFor(() =>
      expect(members.map(({ id }) => sent(`/api/v1/senders/${id}/unsubscribe`).length)).toEqual([0, 1, 1, 0]),
    );
  });

  it('says so where no email is left', async () => {
    await openSheet(null);
    expect(await screen.findByText('There is no email left from this sender.')).toBeTruthy();
  });

  it('gives the focus back when it is closed', async () => {
    await openSheet({});
    await screen.findByRole('button', { name: 'Archive 8 emails' });
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(document.activeElement?.textContent).toBe('News'));
  });
});

const Opener = () => (
  <SenderSheetProvider>
    <SenderButton sender={{ from: NEWS.from, emailId: 'email-1' }} name="News">
      News
    </SenderButton>
  </SenderSheetProvider>
);

const NOTHING = {
  method: null,
  host: null,
  link: null,
  mailto: null,
  state: null,
  error: null,
  status: null,
  at: null,
};

const openSheet = async (change: Partial<SenderDetails> | null, members: Sender[] = []) => {
  const bodies: [string, unknown][] = [];
  const plan: CleanupPlan = sampleCleanup({ total: 8, plannedActions: { archive: 8 } });
  const { requests } = renderAtRoute(Opener, ({ pathname }, method, body) => {
    if (method === 'POST') bodies.push([pathname, body]);
    if (pathname === '/api/v1/emails/email-1/sender') {
      return change ? { ...NEWS, ...change } : toProblem(404, 'not_found');
    }
    if (pathname.endsWith('/unsubscribe')) return NOTHING;
    if (pathname === '/api/v1/cleanups')
      return { ...plan, ...(body as Pick<CleanupPlan, 'action' | 'selection'>) };
    if (pathname.endsWith('/run'))
      return { ...plan, state: 'completed', changed: 8, changedActions: { archive: 8 } };
    return { total: members.length, page: 1, perPage: 100, data: members };
  });
  await userEvent.click(await screen.findByRole('button', { name: 'News' }));
  return {
    requests,
    sent: (path: string) => bodies.filter(([asked]) => asked === path).map(([, body]) => body),
  };
};
