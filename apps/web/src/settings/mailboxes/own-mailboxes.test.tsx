import type { OwnMailbox } from '@mailsweep/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { takeRememberedPlace } from '../../session/remembered-place.ts';
import { renderAtRoute, toProblem } from '../../testing/render-at-route.tsx';
import { sampleMailbox } from '../../testing/sample-mailboxes.ts';
import { OwnMailboxes } from './own-mailboxes.tsx';

const assigned = vi.fn();
const replaced = vi.fn();
beforeEach(() => {
  vi.spyOn(window.location, 'assign').mockImplementation(assigned);
  vi.spyOn(window.location, 'replace').mockImplementation(replaced);
  assigned.mockReset();
  replaced.mockReset();
});

const TWO = [sampleMailbox(1), sampleMailbox(2, { name: 'Work', connection: 'reauth_required' })];

describe('the mailboxes in the settings', () => {
  it('are listed in their order, with the way to those that are not shown', async () => {
    show(TWO);
    const link = await screen.findByRole('link', { name: 'Work' });
    expect(link.getAttribute('href')).toBe('/m/2/');
    expect(screen.getByText('Google · shown now')).toBeTruthy();
    expect(screen.getByText('ada@work2.example · Google · must be renewed')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Renew' }));
    expect(assigned).toHaveBeenCalledWith('https://api.example.org/auth/idp?renew=true&mailbox=2');
  });

  it('are named, and go by their address without a name', async () => {
    const { changes } = show(TWO);
    await userEvent.click(await screen.findByRole('button', { name: 'Rename Work' }));
    const field = await screen.findByLabelText('Name');
    await userEvent.clear(field);
    await userEvent.type(field, ' Job {Enter}');
    await screen.findByRole('link', { name: 'Job' });
    await userEvent.click(screen.getByRole('button', { name: 'Rename Job' }));
    await userEvent.clear(await screen.findByLabelText('Name'));
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByRole('link', { name: 'ada@work2.example' });
    expect(changes).toEqual([
      ['PATCH /2', { name: 'Job' }],
      ['PATCH /2', { name: null }],
    ]);
  });

  it('are moved', async () => {
    const { changes } = show(TWO);
    await userEvent.click(await screen.findByRole('button', { name: 'Move Work up' }));
    await waitFor(() => expect(changes).toEqual([['PATCH /2', { position: 1 }]]));
    const down = () => screen.getByRole('button', { name: 'Move Work down' });
    await waitFor(() => expect(down()).toHaveProperty('disabled', false));
    expect(screen.getByRole('button', { name: 'Move Work up' })).toHaveProperty('disabled', true);
    await userEvent.click(down());
    await waitFor(() => expect(changes.slice(1)).toEqual([['PATCH /2', { position: 2 }]]));
  });

  it('are taken out after a question', async () => {
    const { changes } = show(TWO);
    await userEvent.click(await screen.findByRole('button', { name: 'Take out Work…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Take out Work?' }));
    expect(dialog.getByText(/^Nothing that is stored about it changes/)).toBeTruthy();
    await userEvent.click(dialog.getByRole('button', { name: 'Take out' }));
    await screen.findByText('Work was taken out');
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Work' })).toBeNull());
    expect(changes).toEqual([['DELETE /2', {}]]);
    expect(replaced).not.toHaveBeenCalled();
  });

  it('lead elsewhere when the shown one is taken out', async () => {
    show(TWO);
    await userEvent.click(await screen.findByRole('button', { name: 'Take out ada@example.com…' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Take out' }));
    await waitFor(() => expect(replaced).toHaveBeenCalledWith('/'));
  });

  it('lead through a new sign-in of the session where taking one out needs it, and back', async () => {
    window.history.replaceState(null, '', '/m/2/settings');
    show(TWO, () => toProblem(401, 'recent_sign_in_required'));
    await userEvent.click(await screen.findByRole('button', { name: 'Take out Work…' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Take out' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Sign in again' }));
    expect(assigned).toHaveBeenCalledWith('https://api.example.org/auth/idp?renew=true');
    expect(takeRememberedPlace()).toBe('/m/2/settings?continue=mailboxes');
  });

  it('give their rules and protected senders to the shown one', async () => {
    const { changes } = show([...TWO, sampleMailbox(3)]);
    await userEvent.selectOptions(await screen.findByLabelText('Copy from'), 'ada@work3.example');
    await userEvent.click(screen.getByRole('button', { name: 'Copy' }));
    await screen.findByText('Copied: 3 rules · 1 protected sender');
    expect(screen.getByText('The rules are off until you turn them on.')).toBeTruthy();
    expect(changes).toEqual([['POST /3/copy', {}]]);
  });

  it('become more: at the only provider, or after a choice', async () => {
    const { providers } = show([sampleMailbox(1)]);
    const add = await screen.findByRole('button', { name: 'Add' });
    expect(screen.queryByRole('button', { name: /Take out|Copy|Move/ })).toBeNull();
    await userEvent.click(add);
    await waitFor(() =>
      expect(assigned).toHaveBeenLastCalledWith('https://api.example.org/auth/idp?add=true&provider=gmail'),
    );
    expect(takeRememberedPlace()).toBe('/settings?continue=mailboxes');
    providers.push({ ...sampleMailbox(1).provider, key: 'fastmail' });
    await userEvent.click(add);
    await waitFor(() => expect(assigned).toHaveBeenLastCalledWith('/sign-in?add=true'));
  });
});

/** The section with an API that keeps mailboxes; `refuse` answers changes in its place. */
const show = (known: OwnMailbox[], refuse?: () => Response) => {
  let mailboxes = known;
  const changes: [string, unknown][] = [];
  const providers = [sampleMailbox(1).provider];
  const { requests } = renderAtRoute(
    OwnMailboxes,
    ({ pathname }, method, body) => {
      if (pathname === '/api/v1/me') return sampleMailbox(1);
      if (pathname === '/api/v1/providers') return { data: providers };
      if (method === 'GET') return { data: mailboxes };
      if (refuse) return refuse();
      const path = pathname.replace('/api/v1/me/mailboxes', '');
      changes.push([`${method} ${path}`, body]);
      if (path.endsWith('/copy')) return { rules: 3, protections: 1 };
      const number = Number(path.slice(1));
      const changed = {
        ...mailboxes.find((one) => one.number === number),
        ...(body as object),
      } as OwnMailbox;
      if (method === 'DELETE') {
        mailboxes = mailboxes.filter((one) => one.number !== number);
        return new Response(null, { status: 204 });
      }
      const { position } = body as { position?: number };
      const others = mailboxes.filter((one) => one.number !== number);
      mailboxes =
        position === undefined
          ? mailboxes.map((one) => (one.number === number ? changed : one))
          : others.toSpliced(position - 1, 0, changed);
      return changed;
    },
    '/settings',
  );
  return { changes, requests, providers };
};
