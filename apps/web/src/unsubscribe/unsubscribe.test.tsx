import type { Unsubscribe } from '@mailsweep/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { renderAtRoute, toProblem } from '../testing/render-at-route.tsx';
import { sampleSender } from '../testing/sample-email.ts';
import { UnsubscribeDialog, UnsubscribePanel } from './unsubscribe-dialog.tsx';
import { toEmailLink, toPageLink } from './unsubscribe-words.ts';
import { type UnsubscribeQuestion, useUnsubscribe } from './use-unsubscribe.ts';

const NOTHING_YET = { state: null, error: null, status: null, at: null };
const ONE_CLICK: Unsubscribe = {
  method: 'one_click',
  host: 'mail.news.example',
  link: 'https://mail.news.example/u?t=1',
  mailto: null,
  ...NOTHING_YET,
};
const BY_HAND: Unsubscribe = {
  method: 'manual',
  host: null,
  link: 'http://club.example/leave',
  mailto: 'mailto:off@club.example?subject=off',
  ...NOTHING_YET,
};
const NEWS = sampleSender(1, { from: 'News <a@news.example>', unsubscribe: ONE_CLICK });
const CLUB = sampleSender(2, { from: 'Club <a@club.example>', unsubscribe: BY_HAND });
const FRIEND = sampleSender(3);
const pathOf = ({ id }: { id: string }) => `/api/v1/senders/${id}/unsubscribe`;

describe('the question before unsubscribing', () => {
  it('says what is sent to which host, and sends it once the user agrees', async () => {
    const { requests } = ask({ senders: [NEWS], archives: 0 });
    const dialog = await screen.findByRole('dialog', { name: 'Unsubscribe from News?' });
    expect(within(dialog).getByText('List-Unsubscribe=One-Click').closest('details')?.open).toBe(false);
    expect(dialog.textContent).toContain('mail.news.example');
    expect(dialog.textContent).not.toContain('t=1');
    expect(within(dialog).queryByRole('link')).toBeNull();
    expect(requests).toEqual([]);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Unsubscribe' }));
    await waitFor(() => expect(requests).toEqual([`POST ${pathOf(NEWS)}`]));
  });

  it('sends the host that was shown, or that the user has chosen of several', async () => {
    const hosts = ['mail.news.example', 'other.example'];
    const sent: unknown[] = [];
    const respond = (_: URL, __: string, body: unknown) => {
      sent.push(body);
      return { ...ONE_CLICK, state: 'requested' };
    };
    const several = sampleSender(4, { from: 'Both <a@both.example>', unsubscribe: { ...ONE_CLICK, hosts } });
    ask({ senders: [NEWS, several], archives: 0 }, respond);
    const choice = await screen.findByRole('group', { name: /name several addresses/ });
    expect(
      within(choice)
        .getAllByRole<HTMLInputElement>('radio')
        .map(({ checked }) => checked),
    ).toEqual([true, false]);
    await userEvent.click(within(choice).getByRole('radio', { name: 'other.example' }));
    await userEvent.click(screen.getByRole('button', { name: 'Unsubscribe from 2 senders' }));
    await waitFor(() => expect(sent).toEqual([{ host: 'mail.news.example' }, { host: 'other.example' }]));
  });

  it('sends nothing when the user cancels', async () => {
    const onYes = vi.fn();
    const { requests } = ask({ senders: [NEWS], archives: 3, onYes });
    await screen.findByRole('dialog');
    const [cancel] = screen.getAllByRole('button', { name: 'Cancel' }).slice(-1);
    await userEvent.click(cancel as HTMLElement);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(requests).toEqual([]);
    expect(onYes).not.toHaveBeenCalled();
  });

  it('sends to those of several that take a request, and archives as announced', async () => {
    const onYes = vi.fn();
    const { requests } = ask({ senders: [NEWS, CLUB, FRIEND], archives: 96, onYes });
    const dialog = await screen.findByRole('dialog', { name: 'Unsubscribe from 2 senders?' });
    expect(dialog.textContent).toContain('1 of the senders says nothing about it');
    expect(dialog.textContent).toContain('Also archived: 96 emails in the inbox');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Unsubscribe' }));
    await waitFor(() => expect(requests).toEqual([`POST ${pathOf(NEWS)}`]));
    expect(onYes).toHaveBeenCalledOnce();
  });

  it('shows where links lead, and leaves them to the user', async () => {
    const { requests } = ask({ senders: [CLUB], archives: 0 });
    const page = await screen.findByRole('link', { name: 'Open club.example' });
    expect(page.getAttribute('href')).toBe('http://club.example/leave');
    expect(page.getAttribute('rel')).toBe('noopener noreferrer');
    expect(page.getAttribute('target')).toBe('_blank');
    const emailLink = screen.getByRole('link', { name: 'Write to off@club.example' });
    expect(emailLink.getAttribute('href')).toBe('mailto:off@club.example?subject=off');
    await userEvent.click(screen.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(requests).toEqual([`POST ${pathOf(CLUB)}`]));
  });

  it('says so when a request could not be made', async () => {
    ask({ senders: [NEWS], archives: 0 }, () => toProblem(503, 'overloaded'));
    await userEvent.click(await screen.findByRole('button', { name: 'Unsubscribe' }));
    expect(await screen.findByText(/^Not every request was made:/)).toBeTruthy();
  });
});

describe('requests to many senders', () => {
  const MANY = Array.from({ length: 9 }, (_, index) =>
    sampleSender(index + 1, { from: `News ${index + 1} <a@news.example>`, unsubscribe: ONE_CLICK }),
  );

  it('are sent four at a time; a failed one is named and does not stop the others', async () => {
    const open: (() => void)[] = [];
    let most = 0;
    const { requests } = ask({ senders: MANY, archives: 0 }, async ({ pathname }) => {
      await new Promise<void>((resolve) => {
        open.push(resolve);
        most = Math.max(most, open.length);
      });
      const isRefused = [MANY[1], MANY[6]].some((sender) => sender && pathname === pathOf(sender));
      return isRefused ? toProblem(409, 'unsubscribe_not_offered') : { ...ONE_CLICK, state: 'requested' };
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Unsubscribe from 9 senders' }));
    await waitFor(() => expect(open).toHaveLength(4));
    expect(await screen.findByText('Asked 0 of 9 senders')).toBeTruthy();
    open.shift()?.();
    expect(await screen.findByText('Asked 1 of 9 senders')).toBeTruthy();
    await waitFor(() => {
      open.shift()?.();
      expect(screen.getByText('Not asked: 2 of 9 senders')).toBeTruthy();
    });
    expect(screen.getByText(/^News 2, News 7: /)).toBeTruthy();
    expect(most).toBe(4);
    expect(requests).toHaveLength(9);
    expect(new Set(requests).size).toBe(9);
  });
});

describe('unsubscribing from the open sender', () => {
  it.each<[Partial<Unsubscribe>, string[]]>([
    [{ state: 'requested', at: '2026-01-31T09:30:00.000Z' }, ['Unsubscribing…']],
    [{ state: 'accepted', at: '2026-01-31T09:30:00.000Z' }, ['Unsubscribed', 'The sender accepted it']],
    [
      { state: 'refused', error: 'unreachable' },
      ['Not unsubscribed', 'could not be reached', 'Open mail.news.example'],
    ],
    [
      { state: 'refused', error: 'redirected' },
      ['Not confirmed', 'You may be unsubscribed', 'Open mail.news.example'],
    ],
    [{ state: 'still_sending' }, ['Still sending', 'ten days later', 'Try again…']],
    [{ state: 'manual', method: 'manual', host: null }, ['Unsubscribe by hand', 'Open mail.news.example']],
  ])('shows %j in words', async (change, words) => {
    renderPanel({ ...ONE_CLICK, ...change });
    const panel = await screen.findByRole('region', { name: 'Unsubscribe' });
    for (const word of words) expect(panel.textContent).toContain(word);
  });

  it('is offered where the sender offers it', async () => {
    const { asked } = renderPanel(ONE_CLICK);
    await userEvent.click(await screen.findByRole('button', { name: 'Unsubscribe…' }));
    expect(asked).toMatchObject([{ id: NEWS.id, unsubscribe: ONE_CLICK }]);
  });

  it('is nothing where nobody says how', async () => {
    const { requests } = renderPanel({ ...BY_HAND, method: null, link: null, mailto: null });
    await waitFor(() => expect(requests).toHaveLength(1));
    expect(screen.queryByRole('button')).toBeNull();
  });
});

describe('a link from an email', () => {
  it.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'nonsense', null])(
    'is no link where it is %j',
    (link) => {
      expect(toPageLink({ link })).toBeUndefined();
      expect(toEmailLink({ mailto: link })).toBeUndefined();
    },
  );

  it('names the host that a browser would go to', () => {
    expect(toPageLink({ link: 'https://bank.example@evil.example:8443/' })?.target).toBe('evil.example:8443');
  });
});

const ask = (
  question: UnsubscribeQuestion,
  respond: (url: URL, method: string, body: unknown) => unknown = () => ({
    ...ONE_CLICK,
    state: 'requested',
  }),
) => {
  const Asking = () => {
    const unsubscribing = useUnsubscribe();
    return (
      <>
        <button type="button" onClick={() => unsubscribing.ask(question)}>
          Ask
        </button>
        <UnsubscribeDialog unsubscribing={unsubscribing} />
      </>
    );
  };
  const rendered = renderAtRoute(Asking, respond);
  void screen.findByRole('button', { name: 'Ask' }).then((button) => button.click());
  return rendered;
};

const renderPanel = (unsubscribe: Unsubscribe) => {
  const asked: unknown[] = [];
  const Panel = () => <UnsubscribePanel sender={NEWS} onAsk={(sender) => asked.push(sender)} />;
  return { ...renderAtRoute(Panel, () => unsubscribe), asked };
};
