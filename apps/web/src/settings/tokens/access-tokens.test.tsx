import type { PersonalToken } from '@mailsweep/contracts';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { ApiProvider } from '../../api/api-context.tsx';
import { createAppClient } from '../../api/app-client.ts';
import { withEmailCache } from '../../api/email-cache.ts';
import { LanguageProvider } from '../../language/language-provider.tsx';
import { takeRememberedPlace } from '../../session/remembered-place.ts';
import { readSettingsSearch } from '../stored-data/settings-search.ts';
import { AccessTokens } from './access-tokens.tsx';

const SECRET = `msw_${'x'.repeat(49)}`;
const ID = '019a0000-0000-7000-8000-000000000001';
const TOKEN: PersonalToken = {
  id: ID,
  name: 'Backup',
  scope: 'act',
  requiresConfirmation: true,
  createdAt: '2026-01-31T09:30:00.000Z',
  expiresAt: '2099-01-31T09:30:00.000Z',
  lastUsedAt: null,
  audience: 'api',
  clientId: null,
  renews: false,
  allMailboxes: false,
};

describe('the access tokens', () => {
  it('are listed with what they may do, their end and their last use', async () => {
    await renderTokens({
      tokens: [
        TOKEN,
        {
          ...TOKEN,
          id: ID.replace('1', '2'),
          name: 'Old',
          scope: 'read',
          requiresConfirmation: false,
          expiresAt: '2026-02-01T09:30:00.000Z',
          lastUsedAt: '2026-01-31T10:00:00.000Z',
        },
        {
          ...TOKEN,
          id: ID.replace('1', '3'),
          name: 'Assistant',
          clientId: 'https://assistant.example/c.json',
          renews: true,
        },
        { ...TOKEN, id: ID.replace('1', '4'), name: 'Terminal', clientId: 'mailsweep-cli' },
      ],
    });
    expect(await rowOf('Assistant')).toContain(
      'Allowed for a program of assistant.example. Read and clean up.',
    );
    expect(await rowOf('Assistant')).toMatch(/Ends on .*2099.* unless it is used\./);
    expect(await rowOf('Terminal')).toContain('Allowed for the command line. Read and clean up.');
    expect(await rowOf('Backup')).not.toContain('Allowed');
    expect(await rowOf('Backup')).toMatch(
      /Read and clean up\. Asks you before it changes anything\. Ends on .*2099.*\. Never used\. Made on .*2026/,
    );
    expect(await rowOf('Old')).toMatch(/Read only\. Ended on .*2026.*\. Last used Jan 31, 2026\./);
  });

  it('are none at first, and one is made, shown once and copied', async () => {
    const { asked } = await renderTokens();
    expect(await screen.findByText('There are no access tokens')).toBeTruthy();
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'New token' }));
    const form = within(await screen.findByRole('dialog', { name: 'New access token' }));
    const make = form.getByRole('button', { name: 'Make token' });
    expect(make).toHaveProperty('disabled', true);
    await user.type(form.getByLabelText('Name'), 'Backup');
    await user.selectOptions(form.getByLabelText('What it may do'), 'Read and clean up');
    expect(form.getByText(/All of it can be undone/)).toBeTruthy();
    await user.selectOptions(form.getByLabelText('Ends after'), '30 days');
    await user.click(make);

    const shown = within(await screen.findByRole('dialog', { name: 'Copy the token now' }));
    expect(asked()).toContain(
      'POST /api/v1/me/tokens {"name":"Backup","scope":"act","expiresInDays":30,"requiresConfirmation":true}',
    );
    expect(shown.getByLabelText('Access token')).toHaveProperty('value', SECRET);
    await user.click(shown.getByRole('button', { name: 'Copy' }));
    expect(await shown.findByText('Copied.')).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe(SECRET);
    await user.click(shown.getByRole('button', { name: 'Done' }));

    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(await rowOf('Backup')).toContain('Read and clean up');
    expect(document.body.innerHTML).not.toContain(SECRET);
    await user.click(screen.getByRole('button', { name: 'New token' }));
    expect(await screen.findByLabelText('Name')).toHaveProperty('value', '');
  });

  it('ask the user before they change anything, unless that is unticked; one that only reads has nothing to ask', async () => {
    const { asked } = await renderTokens();
    await userEvent.click(await screen.findByRole('button', { name: 'New token' }));
    await userEvent.type(await screen.findByLabelText('Name'), 'Nightly');
    const asking = 'Ask me in Mailsweep before it changes my mailbox';
    expect(screen.queryByRole('checkbox', { name: asking })).toBeNull();
    await userEvent.selectOptions(screen.getByLabelText('What it may do'), 'All that programs may do');
    expect(screen.getByText(/run after you confirm them here/)).toBeTruthy();
    await userEvent.click(screen.getByRole('checkbox', { name: asking, checked: true }));
    expect(screen.getByText(/It acts without asking/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Make token' }));
    await screen.findByRole('dialog', { name: 'Copy the token now' });
    expect(asked()).toContain(
      'POST /api/v1/me/tokens {"name":"Nightly","scope":"admin","expiresInDays":90,"requiresConfirmation":false}',
    );
  });

  it('are for all mailboxes where the user has several and wants it, and say so', async () => {
    const { asked } = await renderTokens({ mailboxes: [{ number: 1 }, { number: 2 }] });
    await userEvent.click(await screen.findByRole('button', { name: 'New token' }));
    await userEvent.type(await screen.findByLabelText('Name'), 'Nightly');
    await userEvent.click(
      await screen.findByRole('checkbox', { name: 'For all my mailboxes', checked: false }),
    );
    await userEvent.click(screen.getByRole('button', { name: 'Make token' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Done' }));
    expect(asked()).toContain(
      'POST /api/v1/me/tokens {"name":"Nightly","scope":"read","expiresInDays":90,"allMailboxes":true}',
    );
    expect(await rowOf('Nightly')).toContain('Read only. All mailboxes.');
  });

  it('have nothing to choose where there is one mailbox', async () => {
    const { asked } = await renderTokens({ mailboxes: [{ number: 1 }] });
    await userEvent.click(await screen.findByRole('button', { name: 'New token' }));
    await screen.findByLabelText('Name');
    await waitFor(() => expect(asked()).toContain('GET /api/v1/me/mailboxes'));
    expect(screen.queryByRole('checkbox')).toBeNull();
  });

  it('say that none was made when the user has as many as they may', async () => {
    await renderTokens({ failing: { 'POST /api/v1/me/tokens': [409, 'too_many_tokens'] } });
    await startToken();
    expect((await screen.findByRole('alert')).textContent).toMatch(
      /^No token was made\. You have 20 access tokens/,
    );
  });

  it('lead through a new sign-in when making one needs it, and back to the form', async () => {
    const { assigned } = await renderTokens({
      failing: { 'POST /api/v1/me/tokens': [401, 'recent_sign_in_required'] },
    });
    await startToken();
    await userEvent.click(await screen.findByRole('button', { name: 'Sign in again' }));
    expect(assigned).toHaveBeenCalledWith('https://api.example.org/auth/idp?renew=true');
    expect(takeRememberedPlace()).toBe('/settings?continue=token');
  });

  it('open the form after the new sign-in, and forget about it', async () => {
    const { address } = await renderTokens({ place: '/settings?continue=token' });
    await userEvent.click(await screen.findByText('Cancel'));
    await waitFor(() => expect(address()).toBe('/settings'));
  });

  it('are renamed', async () => {
    const { asked } = await renderTokens({ tokens: [TOKEN] });
    await userEvent.click(await screen.findByRole('button', { name: 'Rename the token Backup' }));
    const field = await screen.findByLabelText('Name');
    await userEvent.clear(field);
    await userEvent.type(field, 'Archive{Enter}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(asked()).toContain(`PATCH /api/v1/me/tokens/${ID} {"name":"Archive"}`);
    expect(await rowOf('Archive')).toBeTruthy();
  });

  it('are revoked only once that was confirmed', async () => {
    const { asked } = await renderTokens({ tokens: [TOKEN] });
    await userEvent.click(await screen.findByRole('button', { name: 'Revoke the token Backup' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Revoke the token “Backup”?' }));
    expect(asked().filter((line) => line.startsWith('DELETE'))).toEqual([]);
    await userEvent.click(dialog.getByRole('button', { name: 'Revoke' }));
    expect(await screen.findByText('There are no access tokens')).toBeTruthy();
    expect(asked()).toContain(`DELETE /api/v1/me/tokens/${ID} {}`);
  });

  it('stay when they could not be revoked, and the dialog says so', async () => {
    await renderTokens({
      tokens: [TOKEN],
      failing: { [`DELETE /api/v1/me/tokens/${ID}`]: [503, 'database_unavailable'] },
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Revoke the token Backup' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Revoke' }));
    expect((await screen.findByRole('alert')).textContent).toMatch(/^It was not revoked\./);
  });
});

const rowOf = async (name: string) =>
  (await screen.findByText(name, { selector: 'bdi' })).parentElement?.parentElement?.textContent;

const startToken = async () => {
  await userEvent.click(await screen.findByRole('button', { name: 'New token' }));
  await userEvent.type(await screen.findByLabelText('Name'), 'Backup{Enter}');
};

/** The tokens with an API that stores them and records the requests. */
const renderTokens = async (
  options: {
    place?: string;
    tokens?: PersonalToken[];
    mailboxes?: object[];
    failing?: Record<string, [status: number, code: string]>;
  } = {},
) => {
  let tokens = options.tokens ?? [];
  const act = (method: string, body: Partial<PersonalToken>) => {
    if (method === 'POST') {
      const made = { ...TOKEN, ...body };
      tokens = [made];
      return Response.json({ ...made, secret: SECRET });
    }
    if (method === 'PATCH') {
      tokens = tokens.map((token) => ({ ...token, ...body }));
      return Response.json(tokens[0]);
    }
    tokens = [];
    return new Response(null, { status: 204 });
  };
  const respond = vi.fn<typeof fetch>(async (resource, init) => {
    const { pathname } = new URL(String(resource));
    const [status, code] = options.failing?.[`${init?.method} ${pathname}`] ?? [];
    if (status !== undefined) {
      return Response.json(
        { status, code, type: 'about:blank', title: '', detail: 'Detail.', instance: '/', requestId: 'r' },
        { status },
      );
    }
    if (pathname === '/api/v1/me/mailboxes') return Response.json({ data: options.mailboxes ?? [] });
    if (init?.method !== 'GET') return act(init?.method ?? '', JSON.parse(String(init?.body)));
    return Response.json({ total: tokens.length, page: 1, perPage: 100, data: tokens });
  });
  const origin = 'https://api.example.org';
  const assigned = vi.spyOn(window.location, 'assign').mockReturnValue();
  const root = createRootRoute();
  const app = createRoute({ getParentRoute: () => root, id: 'app' });
  const settings = createRoute({
    getParentRoute: () => app,
    path: '/settings',
    validateSearch: readSettingsSearch,
    component: AccessTokens,
  });
  const router = createRouter({
    routeTree: root.addChildren([app.addChildren([settings])]),
    history: createMemoryHistory({ initialEntries: [options.place ?? '/settings'] }),
  });
  render(
    <MantineProvider env="test">
      <LanguageProvider>
        <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
          <ApiProvider
            api={{ origin, ...withEmailCache(createAppClient({ apiOrigin: origin, fetch: respond })) }}
          >
            <RouterProvider router={router as never} />
          </ApiProvider>
        </QueryClientProvider>
      </LanguageProvider>
    </MantineProvider>,
  );
  const asked = () =>
    respond.mock.calls.map(([resource, init]) =>
      [init?.method, new URL(String(resource)).pathname, init?.body].filter(Boolean).join(' '),
    );
  return { asked, assigned, address: () => router.state.location.href };
};
