import { GMAIL_CAPABILITIES } from '@mailsweep/mail/gmail';
import { findAccessError } from '@mailsweep/mail/gmail/api';
import { type ServerFacts, toCapabilities } from '@mailsweep/mail/jmap';
import type { MailboxCapabilities, MailboxError } from '@mailsweep/mail/mailbox';
import { createOidcProvider, type OidcProvider, toMailAccess } from '../oidc-provider.ts';
import type { JmapProviderConfig } from './jmap-variable.ts';
import { GOOGLE_ISSUER, type ProviderConfig } from './provider-variables.ts';

/** The key of the provider that the `OAUTH_` variables describe, and of connections from before there were others. */
export const GMAIL = 'gmail';

interface ProviderBase {
  /** What the operator calls it, in addresses and in the database. */
  key: string;
  /** As users know it. */
  name: string;
  capabilities: MailboxCapabilities;
  /** Whether users consent only once: later sign-ins bring no refresh token, and the first one stays valid. */
  asksConsentOnce: boolean;
  /** Whether users can sign in with scopes that only read. */
  offersReadOnly: boolean;
  /** What a granted scope lets us do, see {@link toMailAccess}; `change` where only the mailbox itself can tell. */
  toMailAccess(scope: string): ReturnType<typeof toMailAccess>;
  /** Why a mailbox cannot be used with an access token, unless `identify` has found that out; undefined if no reason is known. */
  findAccessError(accessToken: string): Promise<MailboxError | undefined>;
}

export interface GmailProvider extends ProviderBase {
  kind: 'gmail';
  oauth: OidcProvider;
}

export interface JmapProvider extends ProviderBase, ServerFacts {
  kind: 'jmap';
  /** Where its JMAP session is (RFC 8620, section 2). */
  sessionUrl: string;
  /** The name by which it signs its own `Authentication-Results` (RFC 8601), in which alone they are believed. */
  authservId?: string | undefined;
  /** Undefined where users bring a token that they made at the provider. */
  oauth: OidcProvider | undefined;
}

export type Provider = GmailProvider | JmapProvider;

/** Providers by their keys, in the order in which they are offered: Google first, unless something stands in for it. */
export type Providers = ReadonlyMap<string, Provider>;

/**
 * A JMAP server as a provider.
 *
 * @param redirectUri - where browsers come back from Gmail; from a JMAP server they come back below it, each to an address
 *   of its own, so that none can pass its responses off as another's (RFC 9700, section 4.4.2)
 */
export const createJmapProvider = (
  { issuer, clientId, clientSecret, scopes, token: _bringsToken, ...server }: JmapProviderConfig,
  redirectUri: string,
): JmapProvider => {
  const usesOAuth = issuer !== undefined && clientId !== undefined;
  const options = { clientSecret, scopes, redirectUri: `${redirectUri}/${server.key}` };
  return {
    kind: 'jmap',
    ...server,
    capabilities: toCapabilities(server),
    asksConsentOnce: false,
    offersReadOnly: false,
    toMailAccess: () => 'change',
    findAccessError: async () => undefined,
    oauth: usesOAuth ? createOidcProvider({ ...options, issuer, clientId }) : undefined,
  };
};

/**
 * Google as a provider.
 *
 * @param gmailUrl - address of the Gmail API, Google's own by default
 */
export const createGmailProvider = (oauth: OidcProvider, gmailUrl?: string): GmailProvider => ({
  kind: 'gmail',
  key: GMAIL,
  name: 'Google',
  capabilities: GMAIL_CAPABILITIES,
  asksConsentOnce: true,
  offersReadOnly: true,
  toMailAccess,
  findAccessError: (accessToken) => findAccessError({ baseUrl: gmailUrl, accessToken }),
  oauth,
});

/**
 * The providers of an installation.
 *
 * @param redirectUri - as for {@link createJmapProvider}
 */
export const createProviders = (
  config: ProviderConfig & { GMAIL_BASE_URL?: string },
  redirectUri: string,
): Providers => {
  const { OAUTH_ISSUER: issuer, OAUTH_CLIENT_ID: clientId, OAUTH_CLIENT_SECRET: clientSecret } = config;
  const providers: Provider[] = config.JMAP_PROVIDERS.map((entry) => createJmapProvider(entry, redirectUri));
  if (clientId !== undefined && clientSecret !== undefined) {
    const oauth = createOidcProvider({ issuer, clientId, clientSecret, redirectUri });
    const gmail = createGmailProvider(oauth, config.GMAIL_BASE_URL);
    if (issuer === GOOGLE_ISSUER) providers.unshift(gmail);
    else providers.push(gmail);
  }
  return new Map(providers.map((provider) => [provider.key, provider]));
};
