import type { AuthorizationRequest } from '@mailsweep/contracts';
import { onlineManager, QueryClient } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { takeRememberedPlace } from '../session/remembered-place.ts';
import { createHookWrapper } from '../testing/hook-wrapper.tsx';
import { toProblem } from '../testing/render-at-route.tsx';
import { AuthorizeScreen } from './authorize-screen.tsx';
import { readAuthorizeSearch } from './authorize-search.ts';

const REQUEST: AuthorizationRequest = {
  id: '019a0000-0000-7000-8000-000000000001',
  client: { name: 'Mail Assistant', host: 'assistant.example' },
  redirectHost: null,
  scope: 'act',
  audience: 'api',
  renews: false,
  expiresAt: '2099-01-31T09:30:00.000Z',
};
const PATH = `/api/v1/me/authorizations/${REQUEST.id}`;
const PLACE = `/authorize?request=${REQUEST.id}`;
const REDIRECT = 'http://127.0.0.1:4000/callback?code=c&state=s';

describe('the page on which a program is allowed', () => {
  it('says who asks, where the answer goes, what it may do, for whom and for how long', async () => {
    await open();
    expect(screen.getByRole('heading').textContent).toBe('Allow Mail Assistant to access your mailbox?');
    const text = document.body.textContent ?? '';
    for (const words of [
      'A program of assistant.example',
      'A program on this computer',
      'ada@example.com',
      'It sees senders, subjects',
      'It also archives',
    ])
      expect(text).toContain(words);
    expect(text).not.toContain('changes rules');
    expect(screen.getByLabelText('Ends after')).toHaveProperty('value', '30');
  });

  it('says that access lasts while it is used, where the program renews it', async () => {
    await open({ request: { ...REQUEST, renews: true } });
    expect(screen.getByLabelText('Ends when not used for')).toHaveProperty('value', '30');
  });

  it('is about one mailbox of several, about another one, or about all', async () => {
    const { requests } = await open({
      request: { ...REQUEST, client: { name: 'X', host: null } },
      mailboxes: [
        { number: 1, email: 'ada@example.com', name: null, current: true },
        { number: 2, email: 'ada@work.example', name: 'Work', current: false },
      ],
    });
    expect(screen.getByRole('link', { name: 'Choose Work instead' }).getAttribute('href')).toBe(
      `/m/2${PLACE}`,
    );
    const choice = screen.getByLabelText('For all my mailboxes');
    expect(choice).toHaveProperty('checked', false);
    await userEvent.click(choice);
    await userEvent.click(screen.getByRole('button', { name: 'Allow' }));
    await screen.findByText('You can go back to the program');
    expect(requests.at(-1)).toContain('"allMailboxes":true');
  });

  it('asks about mailboxes only where there are several, and does without where they are not known', async () => {
    await open();
    expect(screen.queryByLabelText('For all my mailboxes')).toBeNull();
    cleanup();
    const { requests } = await open({ mailboxes: [] });
    expect(requests.filter((line) => line.includes('mailboxes'))).toHaveLength(1);
  });

  it('names the command line, and the host of a program on the web', async () => {
    await open({ request: { ...REQUEST, client: { name: 'X', host: null }, redirectHost: 'web.example' } });
    expect(document.body.textContent).toContain('The command line of Mailsweep');
    expect(document.body.textContent).toContain('On the web, at web.example');
  });

  it('shows a name as it is, tags and all', async () => {
    await open({ request: { ...REQUEST, client: { name: '<b>Mailsweep</b>', host: 'evil.example' } } });
    expect(screen.getByRole('heading').textContent).toBe('Allow <b>Mailsweep</b> to access your mailbox?');
  });

  it('allows for as long as was chosen, once, and goes back to the program', async () => {
    const { requests, replaced } = await open();
    await userEvent.selectOptions(screen.getByLabelText('Ends after'), '7 days');
    await userEvent.dblClick(screen.getByRole('button', { name: 'Allow' }));
    await screen.findByText('You can go back to the program');
    expect(replaced.mock.calls).toEqual([[REDIRECT]]);
    expect(requests.filter((line) => line.startsWith('POST'))).toEqual([
      `POST ${PATH}/allow {"expiresInDays":7,"requiresConfirmation":true}`,
    ]);
  });

  it.each([
    ['an assistant', 'assistant.example', true],
    ['the command line, which asks at the terminal', null, false],
  ])(
    'has %s ask before it changes anything, unless the user says otherwise',
    async (_who, host, isAsking) => {
      const { requests } = await open({ request: { ...REQUEST, client: { name: 'X', host } } });
      const choice = screen.getByLabelText('Ask me in Mailsweep before it changes my mailbox');
      expect(choice).toHaveProperty('checked', isAsking);
      await userEvent.click(choice);
      await userEvent.click(screen.getByRole('button', { name: 'Allow' }));
      await screen.findByText('You can go back to the program');
      expect(requests.at(-1)).toContain(`"requiresConfirmation":${!isAsking}`);
    },
  );

  it('refuses, and tells the program', async () => {
    const { requests, replaced } = await open();
    await userEvent.click(screen.getByRole('button', { name: 'Deny' }));
    await waitFor(() => expect(replaced).toHaveBeenCalledWith(REDIRECT));
    expect(requests.at(-1)).toMatch(`POST ${PATH}/deny`);
  });

  it('leads through a new sign-in where one is needed, and back', async () => {
    const assigned = vi.spyOn(window.location, 'assign').mockReturnValue();
    window.history.replaceState(null, '', PLACE);
    const { replaced } = await open({ allow: () => toProblem(401, 'recent_sign_in_required') });
    await userEvent.click(screen.getByRole('button', { name: 'Allow' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Sign in again' }));
    expect(assigned).toHaveBeenCalledWith('https://api.example.org/auth/idp?renew=true');
    expect(takeRememberedPlace()).toBe(PLACE);
    expect(replaced).not.toHaveBeenCalled();
  });

  it('says what keeps it from being allowed', async () => {
    await open({ allow: () => toProblem(409, 'too_many_tokens') });
    await userEvent.click(screen.getByRole('button', { name: 'Allow' }));
    expect((await screen.findByRole('alert')).textContent).toMatch(/^You have 20 access tokens/);
    expect(screen.getByRole('button', { name: 'Allow' })).toHaveProperty('disabled', false);
  });

  it('says at once that there is no network, and allows nothing later', async () => {
    const { requests, replaced } = await open({
      allow: () => {
        throw new TypeError('no network');
      },
    });
    onlineManager.setOnline(false);
    onTestFinished(() => onlineManager.setOnline(true));
    await userEvent.click(screen.getByRole('button', { name: 'Allow' }));
    await screen.findByRole('alert');
    const sent = requests.length;
    onlineManager.setOnline(true);
    await userEvent.dblClick(screen.getByText('ada@example.com'));
    expect(requests).toHaveLength(sent);
    expect(replaced).not.toHaveBeenCalled();
  });

  it('says that a request is over', async () => {
    await open({ request: toProblem(404, 'not_found') });
    expect(await screen.findByText('This request is no longer valid')).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('tells developers why their program is not known', async () => {
    await open({ place: '/authorize?error=unknown_client&reason=other_id' });
    expect((await screen.findByRole('alert')).textContent).toContain('the document names another client ID');
  });

  it.each([
    ['?error=unknown_client', 'This program cannot be identified'],
    ['?error=unknown_redirect', 'Invalid redirect address'],
    ['?error=invalid_request', 'Invalid request'],
    ['?error=__proto__', 'Invalid request'],
    ['', 'Invalid request'],
    [`?error=unknown_client&request=${REQUEST.id}`, 'This program cannot be identified'],
  ])('shows what is wrong, and asks for nothing: %s', async (search, title) => {
    const { requests } = await open({ place: `/authorize${search}` });
    expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
    expect(requests).toEqual([]);
  });
});

const open = async (
  options: { place?: string; request?: object; mailboxes?: object[]; allow?: () => Response } = {},
) => {
  const requests: string[] = [];
  const fetch = async (resource: string | URL | Request, init: RequestInit = {}) => {
    const { pathname } = new URL(String(resource));
    requests.push([init.method, pathname, init.body].filter(Boolean).join(' '));
    if (pathname === '/api/v1/me')
      return Response.json({ userId: 'u', email: 'ada@example.com', name: null });
    if (pathname === '/api/v1/me/mailboxes') return Response.json({ data: options.mailboxes ?? [] });
    if (pathname.endsWith('/allow') && options.allow) return options.allow();
    if (init.method === 'POST') return Response.json({ redirectTo: REDIRECT });
    const { request = REQUEST } = options;
    return request instanceof Response ? request : Response.json(request);
  };
  const replaced = vi.spyOn(window.location, 'replace').mockReturnValue();
  const root = createRootRoute();
  const route = createRoute({
    getParentRoute: () => root,
    path: '/authorize',
    validateSearch: readAuthorizeSearch,
    component: AuthorizeScreen,
  });
  const router = createRouter({
    routeTree: root.addChildren([route]),
    history: createMemoryHistory({ initialEntries: [options.place ?? PLACE] }),
  });
  const Wrapper = createHookWrapper(
    fetch,
    new QueryClient({ defaultOptions: { queries: { retry: false } } }),
  );
  render(
    <Wrapper>
      <RouterProvider router={router as never} />
    </Wrapper>,
  );
  await screen.findByRole('heading');
  return { requests, replaced };
};
