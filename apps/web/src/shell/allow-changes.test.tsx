import { useQuery } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { useInboxActions } from '../inbox/actions/use-inbox-actions.ts';
import { RepeatOffer } from '../interrupted/repeat-offer.tsx';
import { forgetWork } from '../session/kept-work.ts';
import { useMe } from '../session/use-mailbox.ts';
import { wantedAccessQuery } from '../session/wanted-access.ts';
import { renderAtRoute, toProblem } from '../testing/render-at-route.tsx';
import { AllowChangesDialog } from './allow-changes-dialog.tsx';

const assigned = vi.fn();
beforeEach(() => {
  assigned.mockReset();
  vi.spyOn(window.location, 'assign').mockImplementation(assigned);
});

it('an action asks for more access, and goes on after it was allowed', async () => {
  show(Actions, false);
  await userEvent.click(await screen.findByRole('button', { name: 'Archive two' }));
  expect(await screen.findByText(/“Read, compose, and send emails”/)).toBeTruthy();
  expect(screen.queryByText('Allow changes first.')).toBeNull();
  expect(screen.getByText(/^Then Mailsweep does what you pressed/)).toBeTruthy();
  await leaveForGoogle();
  expect(assigned).toHaveBeenCalledExactlyOnceWith(
    'https://api.example.org/auth/idp?renew=true&access=change',
  );

  const { requests } = show(RepeatOffer, true);
  await vi.waitFor(() => expect(requests).toContain('POST /api/v1/inbox/actions'));
});

it('an action that was declined at Google is offered, and nothing is done', async () => {
  show(Actions, false);
  await userEvent.click(await screen.findByRole('button', { name: 'Archive two' }));
  await leaveForGoogle();

  const { requests } = show(RepeatOffer, false);
  expect(await screen.findByText('2 emails not archived yet')).toBeTruthy();
  expect(requests).toEqual(['GET /api/v1/me']);
});

it('who goes on looking leaves nothing behind', async () => {
  show(Actions, false);
  await userEvent.click(await screen.findByRole('button', { name: 'Archive two' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Keep looking' }));
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect([assigned.mock.calls, localStorage.length]).toEqual([[], 0]);
});

/** Presses the dialog's button, and leaves the page: another one finds what it kept. */
const leaveForGoogle = async (): Promise<void> => {
  await userEvent.click(await screen.findByRole('button', { name: 'Continue with Google' }));
  const stored = { ...localStorage };
  forgetWork();
  document.body.replaceChildren();
  for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
};

const Actions = () => {
  const act = useInboxActions();
  const { data: wanted } = useQuery(wantedAccessQuery);
  return useMe().isSuccess ? (
    <>
      <button type="button" onClick={() => act('archive', ['email-1', 'email-2'])}>
        Archive two
      </button>
      {wanted && <AllowChangesDialog {...wanted} />}
    </>
  ) : null;
};

const show = (component: Parameters<typeof renderAtRoute>[0], canChange: boolean) =>
  renderAtRoute(component, (url) => {
    if (url.pathname === '/api/v1/inbox/actions') return toProblem(403, 'read_only_access');
    return { userId: 'ada', provider: { name: 'Google', offersReadOnly: true }, mailbox: { canChange } };
  });
