import type { BehaviourSettings } from '../behaviour.ts';
import type { Emulator, OauthClient } from '../mailbox/emulator.ts';
import type { User } from '../mailbox/mailbox-seed.ts';
import type { Incoming, SandboxResponse } from '../response.ts';
import { isSuccess } from '../response.ts';
import { renderConsentPage, rewriteSignInPage } from './sign-in-page.ts';

const MAIL_SCOPES = /^https:\/\/(mail\.google\.com\/|www\.googleapis\.com\/auth\/gmail\.)/;
const CONSUMER_DOMAINS = ['gmail.com', 'googlemail.com'];

/** What is known of a code from the sign-in that it comes from. */
interface CodeFacts {
  /** Whether its redemption gives a refresh token. */
  givesRefreshToken: boolean;
}

const readScopes = (form: URLSearchParams): string[] => (form.get('scope') ?? '').split(' ').filter(Boolean);
const readPrompts = (form: URLSearchParams): string[] => (form.get('prompt') ?? '').split(' ');

const toPage = (html: string): SandboxResponse => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=UTF-8' },
  body: html,
});

/**
 * Google's sign-in as a browser walks through it: choose an account, allow what is asked, go back with a code. Who has
 * allowed it before goes straight back, unless the program asks for consent ("Using OAuth 2.0 for Web Server
 * Applications", prompt and login_hint).
 */
export const createSignIn = (options: {
  issuer: string;
  emulator: Emulator;
  clients: readonly OauthClient[];
  users: readonly User[];
  behaviour: BehaviourSettings;
}) => {
  const { issuer, emulator, clients, users, behaviour } = options;
  const grantedScopes = new Map<string, ReadonlySet<string>>();
  const codes = new Map<string, CodeFacts>();
  const toGrantKey = (email: string, clientId: string): string => JSON.stringify([email, clientId]);
  const keyOf = (form: URLSearchParams): string =>
    toGrantKey(form.get('email') ?? '', form.get('client_id') ?? '');

  const forward = ({ method, path, query, headers, body }: Incoming): Promise<SandboxResponse> =>
    emulator.call({ method, path, query, contentType: headers['content-type'], body });

  const chooseAccount = async (request: Incoming): Promise<SandboxResponse> => {
    const response = await forward(request);
    // The emulator refuses unknown programs and addresses.
    if (!isSuccess(response)) return response;
    const { query } = request;
    const hint = query.get('login_hint')?.toLowerCase();
    const hinted = users.find(({ email }) => email.toLowerCase() === hint);
    if (hinted === undefined || readPrompts(query).includes('select_account')) {
      return { ...response, body: rewriteSignInPage(response.body, query) };
    }
    return await askConsent(new URLSearchParams([...query, ['email', hinted.email]]));
  };

  const askConsent = async (form: URLSearchParams): Promise<SandboxResponse> => {
    const wanted = readScopes(form);
    const granted = grantedScopes.get(keyOf(form));
    const isGranted = granted !== undefined && wanted.every((scope) => granted.has(scope));
    if (isGranted && !readPrompts(form).includes('consent')) return await finish(form, wanted, false);
    const client = clients.find(({ clientId }) => clientId === form.get('client_id'));
    return toPage(
      renderConsentPage({
        clientName: client?.name ?? 'A program',
        form,
        mailScopes: wanted.filter((scope) => MAIL_SCOPES.test(scope)),
        isTicked: behaviour.now.mailBoxTicked,
      }),
    );
  };

  const acceptConsent = (form: URLSearchParams): Promise<SandboxResponse> => {
    const ticked = form.getAll('granted_scope');
    const scopes = readScopes(form).filter((scope) => !MAIL_SCOPES.test(scope) || ticked.includes(scope));
    grantedScopes.set(keyOf(form), new Set([...(grantedScopes.get(keyOf(form)) ?? []), ...scopes]));
    return finish(form, scopes, true);
  };

  /** Sends the browser back with a code, and with what Google adds to it. */
  const finish = async (
    form: URLSearchParams,
    scopes: readonly string[],
    hasConsented: boolean,
  ): Promise<SandboxResponse> => {
    const sent = new URLSearchParams(form);
    sent.set('scope', scopes.join(' '));
    const response = await emulator.call({
      method: 'POST',
      path: '/o/oauth2/v2/auth/callback',
      contentType: 'application/x-www-form-urlencoded',
      body: sent.toString(),
    });
    const { location } = response.headers;
    if (location === undefined) return response;
    const url = new URL(location);
    const isNew = hasConsented || !behaviour.now.refreshTokenOnConsentOnly;
    codes.set(url.searchParams.get('code') ?? '', {
      givesRefreshToken: form.get('access_type') === 'offline' && isNew,
    });
    // openiddict/openiddict-core#2428, nilbuild/developer-roadmap#9802
    url.searchParams.set('iss', issuer);
    url.searchParams.set('scope', scopes.join(' '));
    url.searchParams.set('authuser', '0');
    const domain = form.get('email')?.split('@')[1] ?? '';
    if (!CONSUMER_DOMAINS.includes(domain)) url.searchParams.set('hd', domain);
    url.searchParams.set('prompt', hasConsented ? 'consent' : 'none');
    return { ...response, headers: { ...response.headers, location: url.href } };
  };

  return {
    chooseAccount,
    /** Handles the form of either page. */
    submit(request: Incoming): Promise<SandboxResponse> {
      const form = new URLSearchParams(request.body);
      return form.get('consent') === 'given' ? acceptConsent(form) : askConsent(form);
    },
    /** What a code gives, once. */
    takeCode(code: string): CodeFacts {
      const facts = codes.get(code) ?? { givesRefreshToken: false };
      codes.delete(code);
      return facts;
    },
    /** The user takes back what they allowed a program; it has to ask again. */
    forgetGrant(email: string, clientId: string): void {
      grantedScopes.delete(toGrantKey(email, clientId));
    },
  };
};
