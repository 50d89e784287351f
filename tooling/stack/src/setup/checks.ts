import {
  createJmapProvider,
  identify,
  OidcError,
  providerVariables,
} from '@mailsweep/mail/provider-connection';
import { parseJson } from '@mailsweep/service-kit/http-client';
import { z } from 'zod';
import { ERRORS, WORDS } from './texts.ts';

/** What is wrong, in words for the page, or the variables to save. */
export interface Checked {
  faults: string[];
  variables?: Record<string, string>;
}

const TIMEOUT_MS = 10_000;
const CLIENT_ID = /^\d{1,20}-[a-z0-9]{1,64}\.apps\.googleusercontent\.com$/;
const CLIENT_SECRET = /^[\w-]{20,64}$/;

const ask = (url: string | URL, options?: RequestInit): Promise<Response> =>
  fetch(url, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) });
const fill = (words: string, value: string) => words.replace('…', value);
const refuse = (words: string): Checked => ({ faults: [words] });

/** The file that the console offers for a client, or for something else. */
const FileSchema = z.object({
  web: z
    .object({
      client_id: z.string(),
      client_secret: z.string().optional(),
      redirect_uris: z.array(z.string()).default([]),
    })
    .optional(),
  installed: z.unknown().optional(),
});

const readFile = (text: string) => {
  const { web, installed } = FileSchema.safeParse(parseJson(text)).data ?? {};
  if (installed !== undefined) return WORDS.desktop;
  if (web === undefined) return WORDS.noFile;
  return { clientId: web.client_id, clientSecret: web.client_secret, redirectUris: web.redirect_uris };
};

const DiscoverySchema = z.object({ authorization_endpoint: z.url(), token_endpoint: z.url() });
const TokenErrorSchema = z.object({ error: z.string(), error_description: z.string().default('') });

/**
 * Begins a sign-in. Google checks client and redirect URI first, and names the error in the address of its error page, as a
 * message of Protocol Buffers whose first field it is.
 *
 * @returns the error's code, undefined for none, or `unknown`
 */
const probeSignIn = async (endpoint: string, query: Record<string, string>): Promise<string | undefined> => {
  const url = new URL(endpoint);
  url.search = new URLSearchParams({ ...query, response_type: 'code', scope: 'openid email' }).toString();
  const response = await ask(url, { redirect: 'manual' });
  await response.body?.cancel();
  const target = new URL(response.headers.get('location') ?? url, url);
  if (response.status < 400 && !target.pathname.includes('/oauth/error')) return undefined;
  const authError = Buffer.from(target.searchParams.get('authError') ?? '', 'base64').toString('latin1');
  const code = /^\n.([a-z_]{1,40})/s.exec(authError)?.[1];
  return code === 'invalid_client' ? 'unknown_client' : (code ?? 'unknown');
};

/** Redeems a code that was never given: `invalid_grant` says that Google took id and secret (RFC 6749, section 5.2). */
const probeSecret = async (endpoint: string, form: Record<string, string>): Promise<string | undefined> => {
  const body = new URLSearchParams({ ...form, grant_type: 'authorization_code', code: 'mailsweep-setup' });
  const response = await ask(endpoint, { method: 'POST', body });
  const { data } = TokenErrorSchema.safeParse(parseJson(await response.text()));
  if (data?.error === 'invalid_grant') return undefined;
  if (data?.error === 'invalid_client' && data.error_description.includes('not found'))
    return 'unknown_client';
  return data?.error ?? `status ${response.status}`;
};

/** Checks a client as far as that is possible before somebody signs in. A file goes before what was typed. */
export const checkGoogleClient = async (
  given: { file: string; clientId: string; clientSecret: string },
  { issuer, redirectUri }: { issuer: string; redirectUri: string },
): Promise<Checked> => {
  const file = given.file.trim() === '' ? undefined : readFile(given.file);
  if (typeof file === 'string') return refuse(file);
  const clientId = (file ?? given).clientId.trim();
  const clientSecret = (file?.clientSecret ?? given.clientSecret).trim();
  if (file !== undefined && clientSecret === '') return refuse(WORDS.noSecret);
  if (CLIENT_ID.test(clientSecret)) return refuse(WORDS.swapped);
  if (!CLIENT_ID.test(clientId)) return refuse(WORDS.badId);
  if (!CLIENT_SECRET.test(clientSecret)) return refuse(WORDS.badSecret);
  let codes: (string | undefined)[];
  try {
    const discovery = await ask(`${issuer}/.well-known/openid-configuration`);
    const endpoints = DiscoverySchema.parse(await discovery.json());
    const client = { client_id: clientId, redirect_uri: redirectUri };
    codes = await Promise.all([
      probeSignIn(endpoints.authorization_endpoint, client),
      probeSecret(endpoints.token_endpoint, { ...client, client_secret: clientSecret }),
    ]);
  } catch {
    return refuse(WORDS.unreachable);
  }
  const isElsewhere = file !== undefined && !file.redirectUris.includes(redirectUri);
  const fileHas = isElsewhere ? ` ${fill(WORDS.fileHas, file.redirectUris.join(', ') || '–')}` : '';
  const faults = [...new Set(codes)]
    // Where Google does not say whether the redirect URI is right, the file does.
    .map((code) => (code === 'unknown' ? (isElsewhere ? 'redirect_uri_mismatch' : undefined) : code))
    .filter((code) => code !== undefined)
    .map((code) => {
      const words = ERRORS.get(code)?.words ?? fill(WORDS.otherError, code);
      return code === 'redirect_uri_mismatch' ? words + fileHas : words;
    });
  if (faults.length > 0) return { faults };
  const client = { OAUTH_CLIENT_ID: clientId, OAUTH_CLIENT_SECRET: clientSecret };
  // With the redirect URI, the next start takes its port or says why not.
  return { faults, variables: { ...client, OAUTH_REDIRECT_URI: redirectUri } };
};

const EntriesSchema = z.array(z.looseObject({ key: z.string(), sessionUrl: z.string() }));

/** Where a session is by its address, a server's address or its name (RFC 8620, section 2.2). */
const toSessionUrl = (text: string): URL | undefined => {
  const address = /^https?:\/\//.test(text) ? text : `https://${text}`;
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  return url.pathname === '/' ? new URL('/.well-known/jmap', url) : url;
};

/**
 * Signs in at a JMAP server with a token.
 *
 * @param options.providers - JMAP_PROVIDERS as it is; an entry of the same server is replaced
 * @returns `provider`: the key of the server
 */
export const checkJmapServer = async (
  given: { sessionUrl: string; token: string },
  { providers = '[]', redirectUri }: { providers: string | undefined; redirectUri: string },
): Promise<Checked & { provider?: string }> => {
  const url = toSessionUrl(given.sessionUrl.trim());
  if (url === undefined) return refuse(WORDS.badAddress);
  const entries = EntriesSchema.safeParse(parseJson(providers)).data;
  if (entries === undefined) return refuse(WORDS.badProviders);
  const { host, href: sessionUrl } = url;
  const same = entries.findIndex((entry) => entry.sessionUrl === sessionUrl);
  const key = entries[same]?.key ?? (entries.length === 0 ? 'jmap' : `jmap-${entries.length + 1}`);
  const others = entries.filter((_, index) => index !== same);
  const all = JSON.stringify([...others, { key, name: host, sessionUrl, token: true }]);
  // A quote would end the value in the file.
  const variable = all.replaceAll("'", '\\u0027');
  const server = providerVariables.JMAP_PROVIDERS.safeParse(variable).data?.at(-1);
  if (server === undefined) return refuse(WORDS.badAddress);
  try {
    const provider = createJmapProvider(server, redirectUri);
    await identify(provider, given.token.trim());
    return { faults: [], variables: { JMAP_PROVIDERS: variable }, provider: server.key };
  } catch (cause) {
    if (!(cause instanceof OidcError)) throw cause;
    const detail = cause.code === 'provider_configuration' ? cause.message : host;
    return refuse(fill(WORDS.jmap[cause.code] ?? cause.message, detail));
  }
};
