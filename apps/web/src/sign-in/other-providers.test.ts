import { i18n } from '@lingui/core';
import { screen, waitFor } from '@testing-library/dom';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { offerOtherProviders, toDomain } from './other-providers.ts';

const ORIGIN = 'https://api.example.org';
const FASTMAIL = {
  key: 'fastmail',
  name: 'Fastmail',
  kind: 'jmap',
  offersReadOnly: false,
  signIn: 'redirect',
} as const;
const HOME = {
  key: 'home',
  name: 'Our mail server',
  kind: 'jmap',
  offersReadOnly: false,
  signIn: 'token',
} as const;

describe('the other providers', () => {
  it('are offered below Google', () => {
    offer();
    const link = screen.getByRole('link', { name: 'Continue with Fastmail' });
    expect(link.getAttribute('href')).toBe(`${ORIGIN}/auth/idp?provider=fastmail`);
    const form = screen.getByRole('link', { name: 'Continue with Our mail server' });
    expect(form.getAttribute('href')).toBe('/sign-in?provider=home');
  });

  it('are offered before Google where the API lists them first', () => {
    document.body.innerHTML = '<a class="door-button" href="/">Continue with Google</a>';
    offerOtherProviders([HOME], ORIGIN, true);
    const names = screen.getAllByRole('link').map(({ textContent }) => textContent);
    expect(names).toEqual(['Continue with Our mail server', 'Continue with Google']);
  });

  it('sign in with a token that the user made, and lead into the app', async () => {
    window.history.replaceState(null, '', '/sign-in?provider=home');
    offer();
    respond(204);
    await signInWith('a-token');
    await waitFor(() => expect(left).toHaveBeenCalledWith('/auth/callback'));
    expect(calls).toEqual([
      [`${ORIGIN}/auth/token`, expect.objectContaining({ body: '{"provider":"home","token":"a-token"}' })],
    ]);
  });

  it('add a mailbox to those of the session', async () => {
    window.history.replaceState(null, '', '/sign-in?provider=home&add=true');
    offer();
    respond(200, { mailbox: 2 });
    await signInWith('a-token');
    await waitFor(() => expect(left).toHaveBeenLastCalledWith('/auth/callback?mailbox=2'));
    expect(calls.at(-1)?.[1]).toMatchObject({ body: '{"provider":"home","token":"a-token","add":true}' });
    respond(400, {});
    await signInWith('a-token');
    await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(/does not accept this token/));
    for (const [status, code] of [
      [401, 'recent_sign_in_required'],
      [409, 'mailbox_taken'],
      [409, 'mailbox_limit'],
    ] as const) {
      respond(status, { code });
      await signInWith('a-token');
      await waitFor(() => expect(left).toHaveBeenLastCalledWith(`/sign-in?error=${code}&add=true`));
    }
    window.history.replaceState(null, '', '/sign-in?add=true');
    offer();
    const link = screen.getByRole('link', { name: 'Continue with Fastmail' });
    expect(link.getAttribute('href')).toBe(`${ORIGIN}/auth/idp?provider=fastmail&add=true`);
  });

  it('say why a token is of no use, and take another', async () => {
    window.history.replaceState(null, '', '/sign-in?provider=home');
    offer();
    const elsewhere = { code: 'provider_configuration', detail: 'https://a.example redirects to http://b.' };
    const notices: [number, RegExp, object?][] = [
      [503, /https:\/\/a\.example redirects to http:\/\/b\.$/, elsewhere],
      [400, /^Our mail server does not accept this token/],
      [429, /^Too many attempts/],
      [503, /^Our mail server did not respond/],
    ];
    for (const [status, words, body] of notices) {
      respond(status, body);
      await signInWith('a-token');
      await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(words));
    }
    vi.mocked(fetch).mockRejectedValueOnce(new TypeError('offline'));
    await signInWith('a-token');
    await waitFor(() =>
      expect(screen.getByRole('status').textContent).toMatch(/^Mailsweep is not available/),
    );
    expect(left).not.toHaveBeenCalled();
  });

  it('are found by the domain of an address, which alone is sent', async () => {
    offer();
    respond(200, { data: [FASTMAIL] });
    await find('ada@ada.example');
    await waitFor(() => expect(left).toHaveBeenCalledWith(`${ORIGIN}/auth/idp?provider=fastmail`));
    expect(calls[0]?.[0]).toBe(`${ORIGIN}/api/v1/providers?domain=ada.example`);
  });

  it('ask for a token where the one that serves an address takes one', async () => {
    offer();
    respond(200, { data: [HOME] });
    await find('ada@home.example');
    await waitFor(() => expect(left).toHaveBeenCalledWith('/sign-in?provider=home'));
  });

  it('say when none of them serves an address', async () => {
    offer();
    respond(200, { data: [] });
    await find('ada@elsewhere.example');
    await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(/^None of these/));
    expect(left).not.toHaveBeenCalled();
  });
});

it.each([
  ['ada@Example.COM ', 'example.com'],
  ['ada@münchen.example', 'xn--mnchen-3ya.example'],
  ['ada', undefined],
  ['ada@example.com/path', undefined],
  ['ada@example.com:8443', undefined],
])('the domain of %j is %s', (address, domain) => {
  expect(toDomain(address)).toBe(domain);
});

const offer = () => offerOtherProviders([FASTMAIL, HOME], ORIGIN);

const respond = (status: number, body?: object) =>
  vi.mocked(fetch).mockResolvedValueOnce(new Response(body ? JSON.stringify(body) : null, { status }));

const signInWith = async (token: string) => {
  const field = screen.getByLabelText('Token of Our mail server');
  await userEvent.clear(field);
  await userEvent.type(field, token);
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
};

const find = async (address: string) => {
  await userEvent.type(screen.getByLabelText(/by your email address/), address);
  await userEvent.click(screen.getByRole('button', { name: 'Find' }));
};

let left: ReturnType<typeof vi.fn<(url: string | URL) => void>>;
let calls: unknown[][];
beforeEach(() => {
  i18n.load('en', {});
  i18n.activate('en');
  window.history.replaceState(null, '', '/sign-in');
  document.body.innerHTML = '<a class="door-look">Just look</a>';
  const request = vi.fn<typeof fetch>();
  calls = request.mock.calls;
  vi.stubGlobal('fetch', request);
  left = vi.fn();
  vi.spyOn(window.location, 'assign').mockImplementation(left);
  vi.spyOn(window.location, 'replace').mockImplementation(left);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
