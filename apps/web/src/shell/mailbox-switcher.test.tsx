import type { OwnMailbox } from '@mailsweep/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { ErrorState } from '../feedback/error-state.tsx';
import { useHasSeveral } from '../mailboxes/own-mailboxes.ts';
import { noteLeaving, returnFromSignIn } from '../session/return-from-sign-in.ts';
import { useMe } from '../session/use-mailbox.ts';
import { renderAtRoute, toProblem } from '../testing/render-at-route.tsx';
import { sampleMailbox } from '../testing/sample-mailboxes.ts';
import { AfterFirstScreen } from './after-first-screen.tsx';
import { MailboxSwitcher } from './mailbox-switcher.tsx';

it('the switcher leads to each mailbox, and says which one is shown', async () => {
  show(
    () => <MailboxSwitcher onClose={() => undefined} />,
    [sampleMailbox(1), sampleMailbox(2, { name: 'Work' })],
  );
  const work = await screen.findByRole('link', { name: 'Work ada@work2.example · Google' });
  expect(work.getAttribute('href')).toBe('/m/2/');
  const dialog = within(screen.getByRole('dialog', { name: 'Mailboxes' }));
  expect(dialog.getByRole('link', { current: true }).textContent).toContain('ada@example.com');
});

it('the switcher only adds where there is one mailbox', async () => {
  const assigned = vi.spyOn(window.location, 'assign').mockReturnValue();
  const { requests } = show(() => <MailboxSwitcher onClose={() => undefined} />, [sampleMailbox(1)]);
  await screen.findByRole('dialog', { name: 'Mailboxes' });
  await waitFor(() => expect(requests).toContain('GET /api/v1/me/mailboxes'));
  expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Settings']);
  await userEvent.click(screen.getByRole('button', { name: 'Add a mailbox' }));
  await waitFor(() => expect(assigned).toHaveBeenCalledOnce());
});

it('keys lead to the mailboxes, and the next visit knows that there are several', async () => {
  const assigned = vi.spyOn(window.location, 'assign').mockReturnValue();
  const { requests } = show(Shell, [sampleMailbox(1), sampleMailbox(2, { name: 'Work' })]);
  await screen.findByText('several');
  expect(requests.filter((request) => request.endsWith('/me/mailboxes'))).toHaveLength(1);
  await userEvent.keyboard('g2');
  expect(assigned).toHaveBeenCalledWith('/m/2/');
  expect(localStorage.getItem('mailsweep.several.ada')).toBe('true');
});

it('a new mailbox is welcomed', async () => {
  noteLeaving('adding');
  window.history.replaceState(null, '', '/auth/callback?mailbox=2');
  returnFromSignIn();
  expect(window.location.pathname).toBe('/m/2/');
  show(Shell, [sampleMailbox(1)]);
  expect(await screen.findByText('ada@example.com was added')).toBeTruthy();
  expect(screen.getByText('one')).toBeTruthy();
});

it.each([
  ['of somebody else', () => toProblem(403, 'mailbox_not_reachable')],
  ['that is no number', () => toInvalid('Mailsweep-Mailbox')],
])('an address with a mailbox %s leads to the own one', async (_what, respond) => {
  renderAtRoute(Failing, respond);
  expect(await screen.findByRole('heading', { name: 'This mailbox is not among yours' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Go to your mailbox' }).getAttribute('href')).toBe('/');
});

const toInvalid = (path: string): Response =>
  Response.json(
    {
      type: 'about:blank',
      title: 'Invalid',
      status: 400,
      detail: 'Detail.',
      instance: '/',
      code: 'invalid_input',
      requestId: 'request-1',
      errors: [{ path, message: 'must be a whole number' }],
    },
    { status: 400 },
  );

const Failing = () => {
  const { error } = useMe();
  return error && <ErrorState error={error} onRetry={() => undefined} isScreen />;
};

const Several = () => <p>{useHasSeveral() ? 'several' : 'one'}</p>;
const Shell = () =>
  useMe().isSuccess ? (
    <>
      <AfterFirstScreen statusPlace={null} bannerPlace={null} />
      <Several />
    </>
  ) : null;

const show = (component: () => React.ReactNode, mailboxes: OwnMailbox[]) =>
  renderAtRoute(component, ({ pathname }) => {
    if (pathname === '/api/v1/me') return { userId: 'ada', email: 'ada@example.com' };
    if (pathname === '/api/v1/me/mailboxes') return { data: mailboxes };
    return {
      total: 0,
      page: 1,
      perPage: 1,
      data: [sampleMailbox(1).provider].slice(pathname.endsWith('providers') ? 0 : 1),
    };
  });
