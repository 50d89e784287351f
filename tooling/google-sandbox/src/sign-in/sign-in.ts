import { randomBytes } from 'node:crypto';
import type { BehaviourSettings } from '../behaviour.ts';
import type { MailboxChanges } from '../mailbox/mailbox-changes.ts';
import { fullNameOf, type User } from '../mailbox/mailbox-seed.ts';
import { toErrorUrl } from '../protocol/google-errors.ts';
import { type Incoming, redirectTo, type SandboxResponse } from '../response.ts';
import type { OauthClient } from './oauth.ts';

const CALLBACK_PATH = '/o/oauth2/v2/auth/callback';

const escapeAttribute = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const toHiddenInputs = (fields: Iterable<[name: string, value: string]>): string =>
  [...fields]
    .map(
      ([name, value]) =>
        `<input type="hidden" name="${escapeAttribute(name)}" value="${escapeAttribute(value)}"/>`,
    )
    .join('');

const toCancelLink = (query: URLSearchParams): string => {
  const denialUrl = toErrorUrl(query, 'access_denied');
  return denialUrl
    ? `<p style="text-align:center"><a id="deny" style="color:inherit" href="${escapeAttribute(denialUrl)}">Cancel</a></p>`
    : '';
};

const toDocument = (body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sign in – Google sandbox</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:28rem;margin:4rem auto;padding:0 1rem}button{font:inherit;padding:.4rem 1rem}.user-form button{width:100%;margin:.25rem 0;text-align:left}</style></head>
<body>${body}
</body></html>`;

/** The page on which a user chooses an account, or types the address of one that is not listed. */
const renderAccounts = (
  client: OauthClient,
  users: readonly User[],
  query: URLSearchParams,
  setupUrl?: string,
): string => {
  const toForm = (user: User): string =>
    `<form class="user-form" method="post" action="${CALLBACK_PATH}">${toHiddenInputs([['email', user.email], ...query])}
<button type="submit">${escapeAttribute(fullNameOf(user))}<br>${escapeAttribute(user.email)}</button></form>`;
  return toDocument(`<h1>Sign in to Google</h1>
<p>to continue to <strong>${escapeAttribute(client.name)}</strong></p>
${users.map(toForm).join('\n')}
<form method="post" action="${CALLBACK_PATH}" style="text-align:center;margin-top:1rem">${toHiddenInputs(query)}
<label>Another account <input type="email" name="email" required/></label> <button type="submit">Next</button></form>
${setupUrl === undefined ? '' : `<p>These mailboxes are made up. <a href="${escapeAttribute(setupUrl)}">Connect your own</a></p>`}
${toCancelLink(query)}`);
};

/**
 * The page on which a user allows what a program asks for, each mail scope by a box of its own ("Handle granular
 * permissions").
 *
 * @param form - what the page before sent
 */
const renderConsentPage = (options: {
  clientName: string;
  form: URLSearchParams;
  mailScopes: readonly string[];
  isTicked: boolean;
}): string => {
  const { form, mailScopes, isTicked } = options;
  const name = escapeAttribute(options.clientName);
  const email = escapeAttribute(form.get('email') ?? '');
  const boxes = mailScopes.map(
    (scope) =>
      `<p><label><input type="checkbox" name="granted_scope" value="${escapeAttribute(scope)}"${isTicked ? ' checked' : ''}/> ${SCOPE_WORDS[scope] ?? 'Read, compose, and send emails from your Gmail account'}</label></p>`,
  );
  return toDocument(`<h1>${name} wants access to your Google Account</h1><p>${email}</p>
<h2>Select what ${name} can access</h2>
<form method="post" action="${CALLBACK_PATH}">${toHiddenInputs([...form, ['consent', 'given']])}
${boxes.join('\n')}
<button type="submit">Continue</button></form>
${toCancelLink(form)}`);
};

/** What Google calls scopes that allow less than sending. */
const SCOPE_WORDS: Partial<Record<string, string>> = {
  'https://www.googleapis.com/auth/gmail.readonly': 'View your email messages and settings',
};
const MAIL_SCOPES = /^https:\/\/(mail\.google\.com\/|www\.googleapis\.com\/auth\/gmail\.)/;
const CONSUMER_DOMAINS = ['gmail.com', 'googlemail.com'];

const CODE_TTL_MS = 10 * 60 * 1_000;

/** What is known of a code from the sign-in that it comes from. */
interface CodeFacts {
  user: User;
  clientId: string;
  scope: string;
  nonce: string | null;
  /** That of RFC 7636, and how it is made from the secret that redeems the code. */
  challenge: string | null;
  challengeMethod: string;
  expiresAtMs: number;
  /** Whether its redemption gives a refresh token. */
  givesRefreshToken: boolean;
}

const readScopes = (form: URLSearchParams): string[] => (form.get('scope') ?? '').split(' ').filter(Boolean);
const readPrompts = (form: URLSearchParams): string[] => (form.get('prompt') ?? '').split(' ');

const toPage = (html: string, status = 200): SandboxResponse => ({
  status,
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
  clients: readonly OauthClient[];
  users: readonly User[];
  findUser: (email: string) => User | undefined;
  changes: MailboxChanges;
  behaviour: BehaviourSettings;
  /** Where a user can connect a mailbox of their own instead. */
  setupUrl?: string | undefined;
}) => {
  const { issuer, clients, users, findUser, changes, behaviour, setupUrl } = options;
  const scopesOf = (key: string): readonly string[] => changes.now.consents[key] ?? [];
  const codes = new Map<string, CodeFacts>();
  const toGrantKey = (email: string, clientId: string): string => JSON.stringify([email, clientId]);
  const keyOf = (form: URLSearchParams): string =>
    toGrantKey(form.get('email') ?? '', form.get('client_id') ?? '');

  /** The program that sends the browser here; undefined for one that is not registered, or for another redirect. */
  const findClient = (form: URLSearchParams): OauthClient | undefined =>
    clients.find(
      ({ clientId, redirectUris }) =>
        clientId === form.get('client_id') && redirectUris.includes(form.get('redirect_uri') ?? ''),
    );
  /** Google names the error in the address of its page, as a message of Protocol Buffers whose first field it is. */
  const refuseClient = (form: URLSearchParams): SandboxResponse => {
    const isKnown = clients.some(({ clientId }) => clientId === form.get('client_id'));
    const code = isKnown ? 'redirect_uri_mismatch' : 'invalid_client';
    const authError = Buffer.from([10, code.length, ...Buffer.from(code)]).toString('base64url');
    return redirectTo(`${issuer}/signin/oauth/error?authError=${authError}`);
  };

  const chooseAccount = ({ query, headers }: Incoming): SandboxResponse => {
    const client = findClient(query);
    if (client === undefined) return refuseClient(query);
    const hinted = findUser(query.get('login_hint') ?? '');
    if (hinted === undefined || readPrompts(query).includes('select_account')) {
      // The address is a secret, kept from a site whose name leads here (DNS rebinding).
      const isOwn = headers.host === new URL(issuer).host;
      return toPage(renderAccounts(client, users, query, isOwn ? setupUrl : undefined));
    }
    return askConsent(new URLSearchParams([...query, ['email', hinted.email]]), hinted);
  };

  const askConsent = (form: URLSearchParams, user: User): SandboxResponse => {
    const client = findClient(form);
    if (client === undefined) return refuseClient(form);
    const wanted = readScopes(form);
    const granted = scopesOf(keyOf(form));
    const isGranted = granted.length > 0 && wanted.every((scope) => granted.includes(scope));
    if (isGranted && !readPrompts(form).includes('consent')) return finish(form, user, wanted, false);
    return toPage(
      renderConsentPage({
        clientName: client.name,
        form,
        mailScopes: wanted.filter((scope) => MAIL_SCOPES.test(scope)),
        isTicked: behaviour.now.mailBoxTicked,
      }),
    );
  };

  const acceptConsent = (form: URLSearchParams, user: User): SandboxResponse => {
    if (findClient(form) === undefined) return refuseClient(form);
    const ticked = form.getAll('granted_scope');
    const scopes = readScopes(form).filter((scope) => !MAIL_SCOPES.test(scope) || ticked.includes(scope));
    const granted = new Set([...scopesOf(keyOf(form)), ...scopes]);
    changes.note({ consents: { [keyOf(form)]: [...granted] } });
    return finish(form, user, scopes, true);
  };

  /** Sends the browser back with a code, and with what Google adds to it. */
  const finish = (
    form: URLSearchParams,
    user: User,
    scopes: readonly string[],
    hasConsented: boolean,
  ): SandboxResponse => {
    const code = randomBytes(20).toString('hex');
    const isNew = hasConsented || !behaviour.now.refreshTokenOnConsentOnly;
    codes.set(code, {
      user,
      clientId: form.get('client_id') ?? '',
      scope: scopes.join(' '),
      nonce: form.get('nonce'),
      challenge: form.get('code_challenge'),
      challengeMethod: form.get('code_challenge_method') ?? 'plain',
      expiresAtMs: Date.now() + CODE_TTL_MS,
      givesRefreshToken: form.get('access_type') === 'offline' && isNew,
    });
    const url = new URL(form.get('redirect_uri') ?? '');
    url.searchParams.set('code', code);
    const state = form.get('state');
    if (state) url.searchParams.set('state', state);
    // openiddict/openiddict-core#2428, nilbuild/developer-roadmap#9802
    url.searchParams.set('iss', issuer);
    url.searchParams.set('scope', scopes.join(' '));
    url.searchParams.set('authuser', '0');
    const [, domain = ''] = user.email.split('@');
    if (!CONSUMER_DOMAINS.includes(domain)) url.searchParams.set('hd', domain);
    url.searchParams.set('prompt', hasConsented ? 'consent' : 'none');
    return redirectTo(url.href);
  };

  return {
    chooseAccount,
    showRefusal: () =>
      toPage(
        toDocument('<h1>Access blocked</h1><p>The client or its redirect address is not registered.</p>'),
        400,
      ),
    submit({ body }: Incoming): SandboxResponse {
      const form = new URLSearchParams(body);
      const user = findUser(form.get('email') ?? '');
      if (user === undefined) return toPage('Couldn’t find your Google Account', 400);
      form.set('email', user.email);
      return form.get('consent') === 'given' ? acceptConsent(form, user) : askConsent(form, user);
    },
    /** What a code gives, once. */
    takeCode(code: string): CodeFacts | undefined {
      const facts = codes.get(code);
      codes.delete(code);
      return facts && facts.expiresAtMs > Date.now() ? facts : undefined;
    },
    /** The user takes back what they allowed a program; it has to ask again. */
    forgetGrant(email: string, clientId: string): void {
      changes.note({ consents: { [toGrantKey(email, clientId)]: [] } });
    },
  };
};
