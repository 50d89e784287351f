import { DEFAULT_PREFERENCES, type Me } from '@mailsweep/contracts';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { ApiProvider } from '../api/api-context.tsx';
import { createAppClient } from '../api/app-client.ts';
import { withEmailCache } from '../api/email-cache.ts';
import { LanguageProvider } from '../language/language-provider.tsx';
import { takeRememberedPlace } from '../session/remembered-place.ts';
import { SettingsScreen } from './settings-screen.tsx';
import { readSettingsSearch } from './stored-data/settings-search.ts';

describe('the settings', () => {
  it('erase nothing before the own address is typed, then erase and leave', async () => {
    const { asked, left } = await renderSettings();
    await userEvent.click(screen.getByRole('button', { name: 'Delete…' }));
    const erase = await screen.findByRole('button', { name: 'Delete for good' });
    const field = screen.getByLabelText(/to confirm/);

    await userEvent.type(field, 'grace@example.com{Enter}');
    expect(erase).toHaveProperty('disabled', true);
    expect(asked()).not.toContain('DELETE /api/v1/me');

    await userEvent.clear(field);
    await userEvent.type(field, ' Ada@Example.com');
    await userEvent.click(erase);
    await waitFor(() => expect(left).toHaveBeenCalledWith('/sign-in?reason=erased'));
    expect(asked()).toContain('DELETE /api/v1/me {"confirm":"Ada@Example.com"}');
  });

  it('say in the dialog that nothing was deleted when the API fails', async () => {
    await renderSettings({ erasing: UNAVAILABLE });
    await userEvent.click(screen.getByRole('button', { name: 'Delete…' }));
    await userEvent.type(await screen.findByLabelText(/to confirm/), 'ada@example.com{Enter}');
    expect((await screen.findByRole('alert')).textContent).toMatch(/^Nothing was deleted\./);
  });

  it('say which version this is', async () => {
    await renderSettings();
    expect(screen.getByText(/^Version \d+\.\d+\.\d+/)).toBeTruthy();
  });

  it('end every session of the user', async () => {
    const { asked, left } = await renderSettings();
    await userEvent.click(screen.getByRole('button', { name: 'Sign out everywhere' }));
    await waitFor(() => expect(left).toHaveBeenCalledWith('/sign-in?reason=signed_out_everywhere'));
    expect(asked()).toContain('POST /auth/logout-everywhere {}');
  });

  it('list the signed-in browsers, this one marked, and sign out another', async () => {
    const { asked, sessions } = await renderSettings();
    expect(await screen.findByText('Firefox on Windows')).toBeTruthy();
    expect(screen.getByText('This browser').parentElement?.textContent).toContain('Firefox on Windows');

    sessions.splice(1);
    await userEvent.click(screen.getByRole('button', { name: /^Sign out Safari on iOS, last used/ }));
    await waitFor(() => expect(screen.queryByText('Safari on iOS')).toBeNull());
    expect(asked()).toContain(`DELETE /api/v1/me/sessions/${PHONE_ID} {}`);
  });

  it('take a session for signed out that ended in the meantime', async () => {
    const { sessions } = await renderSettings({ revoking: { status: 404, code: 'not_found' } });
    const button = await screen.findByRole('button', { name: /^Sign out Safari on iOS/ });
    sessions.splice(1);
    await userEvent.click(button);
    await waitFor(() => expect(screen.queryByText('Safari on iOS')).toBeNull());
  });

  it('sign out here by the row of this browser', async () => {
    const { asked, left } = await renderSettings();
    await userEvent.click(await screen.findByRole('button', { name: 'Sign out this browser' }));
    await waitFor(() => expect(left).toHaveBeenCalledWith('/sign-in?reason=signed_out'));
    expect(asked()).toContain('POST /auth/logout {}');
  });

  it('show what happened to the account, page by page', async () => {
    await renderSettings();
    const list = await screen.findByRole('list', { name: 'Account activity' });
    expect([...list.children].map((item) => item.textContent)).toEqual([
      expect.stringMatching(/^Signed inFirefox on Windows · 192\.0\.2\.1/),
    ]);
    await userEvent.click(screen.getByRole('button', { name: 'Show earlier activity' }));
    await waitFor(() => expect(list.children).toHaveLength(2));
    expect(list.children[1]?.textContent).toMatch(/^Downloaded all dataUnknown browser/);
    expect(screen.queryByRole('button', { name: 'Show earlier activity' })).toBeNull();
  });

  it('lead through a new sign-in when the download needs one, and back to it', async () => {
    const { assigned, left } = await renderSettings({ exporting: RECENT_SIGN_IN });
    await userEvent.click(screen.getByRole('button', { name: 'Download' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Sign in again' }));

    expect(assigned).toHaveBeenCalledWith('https://api.example.org/auth/idp?renew=true');
    expect(takeRememberedPlace()).toBe('/settings?continue=export');
    expect(left).not.toHaveBeenCalled();
  });

  it('download after the new sign-in, and forget about it', async () => {
    const { asked, address } = await renderSettings({ place: '/settings?continue=export' });
    await userEvent.click(await screen.findByRole('button', { name: 'Download now' }));

    await waitFor(() => expect(screen.queryByRole('button', { name: 'Download now' })).toBeNull());
    expect(asked()).toContain('GET /api/v1/me/export');
    expect(address()).toBe('/settings');
  });

  it('lead through a new sign-in when the erasure needs one, and back to its dialog', async () => {
    await renderSettings({ erasing: RECENT_SIGN_IN });
    await userEvent.click(screen.getByRole('button', { name: 'Delete…' }));
    await userEvent.type(await screen.findByLabelText(/to confirm/), 'ada@example.com{Enter}');
    await userEvent.click(await screen.findByRole('button', { name: 'Sign in again' }));
    expect(takeRememberedPlace()).toBe('/settings?continue=erase');

    cleanup();
    await renderSettings({ place: '/settings?continue=erase' });
    expect(await screen.findByRole('button', { name: 'Delete for good' })).toBeTruthy();
  });

  it('list protected senders, and end the protection of one', async () => {
    const { asked } = await renderSettings({ protections: [PROTECTION] });
    expect(await screen.findByText('news@paper.example')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Remove News' }));

    expect(await screen.findByText('No sender is protected')).toBeTruthy();
    expect(asked()).toContain(`DELETE /api/v1/protections/${PROTECTION.id} {}`);
  });

  it('offer the rest, and another try, when sessions or activity do not load', async () => {
    const { broken } = await renderSettings({ broken: ['/api/v1/me/sessions', '/api/v1/me/audit'] });
    const [retrySessions] = await screen.findAllByRole('button', { name: 'Try again' });
    expect(screen.getByRole('button', { name: 'Download' })).toBeTruthy();
    broken.clear();
    if (retrySessions) await userEvent.click(retrySessions);
    expect(await screen.findByText('Firefox on Windows')).toBeTruthy();
  });
});

const ME: Me = {
  userId: 'ada',
  email: 'ada@example.com',
  name: 'Ada',
  connection: 'active',
  provider: { key: 'gmail', name: 'Google', kind: 'gmail', offersReadOnly: true, signIn: 'redirect' },
  mailbox: {
    name: 'Gmail',
    categories: ['primary'],
    hasQuotaUnits: true,
    trashDays: 30,
    emailUrl: null,
    canChange: true,
  },
  sessionExpiresAt: '2026-01-31T09:30:00.000Z',
};

const PHONE_ID = '019a0000-0000-7000-8000-000000000002';
const SESSIONS = [
  { id: '019a0000-0000-7000-8000-000000000001', browser: 'Firefox on Windows', current: true },
  { id: PHONE_ID, browser: 'Safari on iOS', current: false },
].map((session) => ({ ...session, createdAt: ME.sessionExpiresAt, lastUsedAt: ME.sessionExpiresAt }));

const PROTECTION = {
  id: '9f2c'.repeat(16),
  type: 'sender' as const,
  from: 'News <news@paper.example>',
  createdAt: ME.sessionExpiresAt,
};

const ENTRIES = [
  { event: 'signed_in', browser: 'Firefox on Windows', address: '192.0.2.1' },
  { event: 'data_exported', browser: null, address: null },
].map((entry, index) => ({
  ...entry,
  id: `019a0000-0000-7000-8000-00000000000${index}`,
  at: ME.sessionExpiresAt,
  sessionId: null,
  tokenId: null,
  details: {},
}));

interface Failure {
  status: number;
  code: string;
}

const UNAVAILABLE: Failure = { status: 503, code: 'database_unavailable' };
const RECENT_SIGN_IN: Failure = { status: 401, code: 'recent_sign_in_required' };

const toProblem = (failure: Failure) =>
  Response.json(
    {
      ...failure,
      type: 'about:blank',
      title: 'Title',
      detail: 'Detail.',
      instance: '/',
      requestId: 'request-1',
    },
    { status: failure.status },
  );

/** The settings with an API that records the requests. */
const renderSettings = async (
  options: {
    place?: string;
    erasing?: Failure;
    exporting?: Failure;
    revoking?: Failure;
    protections?: (typeof PROTECTION)[];
    /** These paths fail until removed. */
    broken?: string[];
  } = {},
) => {
  const sessions = [...SESSIONS];
  const broken = new Set(options.broken);
  const failures: Record<string, Failure | undefined> = {
    'DELETE /api/v1/me': options.erasing,
    'GET /api/v1/me/export': options.exporting,
    [`DELETE /api/v1/me/sessions/${PHONE_ID}`]: options.revoking,
  };
  const responses: Record<string, (url: URL) => unknown> = {
    '/api/v1/me': () => ME,
    '/api/v1/me/preferences': () => DEFAULT_PREFERENCES,
    '/api/v1/watch': () => ({ state: 'off', error: null, nextRunAt: null, lastRun: null, total: null }),
    '/api/v1/me/export': () => ({ exportedAt: ME.sessionExpiresAt, userId: 'ada', data: {} }),
    '/api/v1/me/sessions': () => ({ total: sessions.length, page: 1, perPage: 100, data: sessions }),
    '/api/v1/me/mailboxes': () => ({ data: [{ ...ME, number: 1, name: null, current: true }] }),
    '/api/v1/me/tokens': () => ({ total: 0, page: 1, perPage: 100, data: [] }),
    '/api/v1/protections': () => ({
      total: protections.length,
      page: 1,
      perPage: 100,
      data: protections,
    }),
    '/api/v1/me/outgoing-calls': () => ({ since: null, user: [], unsubscribeHosts: [], installation: [] }),
    '/api/v1/me/audit': ({ searchParams }) => {
      const page = Number(searchParams.get('page'));
      return { total: 2, page, perPage: 1, data: ENTRIES.slice(page - 1, page) };
    },
  };
  let protections = options.protections ?? [];
  const respond = vi.fn<typeof fetch>(async (resource, init) => {
    const url = new URL(String(resource));
    if (broken.has(url.pathname)) return toProblem(UNAVAILABLE);
    const failure = failures[`${init?.method} ${url.pathname}`];
    if (failure) return toProblem(failure);
    if (url.pathname.startsWith('/api/v1/protections/')) protections = [];
    if (init?.method !== 'GET') return new Response(null, { status: 204 });
    return Response.json(responses[url.pathname]?.(url));
  });
  vi.stubGlobal('fetch', respond);
  const origin = 'https://api.example.org';
  const root = createRootRoute();
  const left = vi.spyOn(window.location, 'replace').mockReturnValue();
  const assigned = vi.spyOn(window.location, 'assign').mockReturnValue();
  const app = createRoute({ getParentRoute: () => root, id: 'app' });
  const settings = createRoute({
    getParentRoute: () => app,
    path: '/settings',
    validateSearch: readSettingsSearch,
    component: SettingsScreen,
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
  await screen.findByText('Connected');
  const asked = () =>
    respond.mock.calls.map(([resource, init]) =>
      [init?.method, new URL(String(resource)).pathname, init?.body].filter(Boolean).join(' '),
    );
  return { asked, left, assigned, sessions, broken, address: () => router.state.location.href };
};
