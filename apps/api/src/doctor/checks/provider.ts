import { randomUUID } from 'node:crypto';
import {
  createJmapProvider,
  createOidcProvider,
  OidcError,
  type OidcProvider,
} from '@mailsweep/mail/provider-connection';
import { z } from 'zod';
import { type DoctorContext, need } from '../context.ts';
import { error, type Finding, type Findings, ok, skipped, warning } from '../finding.ts';

/** Scopes of OpenID Connect that a sign-in asks for. Google lists no others (its discovery document), so that whether it
 * grants access to Gmail shows only at a sign-in. */
const IDENTITY_SCOPES = ['openid', 'email', 'profile'];
/** What ID tokens tolerate (`oidc-provider.ts`), and where trouble begins: tokens for the classification service live for
 * a minute. Unit: seconds. */
const WRONG_CLOCK_S = 60;
const INEXACT_CLOCK_S = 10;

const DiscoverySchema = z.object({
  issuer: z.string(),
  token_endpoint: z.string(),
  scopes_supported: z.array(z.string()).optional(),
});

const checkClock = (date: string | null, sentAtMs: number): Finding => {
  const theirsMs = Date.parse(date ?? '');
  if (Number.isNaN(theirsMs)) return skipped('The provider sends no Date, so the clock was not compared.');
  const skewS = Math.round((theirsMs - (sentAtMs + Date.now()) / 2) / 1_000);
  const off = Math.abs(skewS);
  if (off <= INEXACT_CLOCK_S) return ok('The clock agrees with that of the provider.');
  const report = off > WRONG_CLOCK_S ? error : warning;
  return report({
    message: `The clock of this machine is ${off} s ${skewS > 0 ? 'behind' : 'ahead of'} that of the provider.`,
    why: 'Tokens then count as expired or as not yet valid: sign-ins and calls of the classification service fail.',
    fix: 'Have the system keep its clock (chrony, systemd-timesyncd), and check with: timedatectl',
  });
};

/** Where the address is Google's own, there is no line to change. */
const remedyOf = ({ env }: DoctorContext, variable: string, url: string) => {
  const reach = `Let this machine reach ${url} (DNS, firewall)`;
  return env[variable] === undefined
    ? { fix: `${reach}.` }
    : { variable, fix: `${reach}, or correct ${variable}; leave it out for Google's own.` };
};

/** Whether the provider describes itself at OAUTH_ISSUER, and its clock agrees with ours. */
export const checkProvider = async (context: DoctorContext): Promise<Findings> => {
  const issuer = need(context, 'OAUTH_ISSUER');
  need(context, 'OAUTH_CLIENT_ID');
  const variable = 'OAUTH_ISSUER';
  const why = 'Nobody can sign in, and connections to mailboxes end within the hour.';
  const sentAtMs = Date.now();
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(`${issuer}/.well-known/openid-configuration`, {
      signal: AbortSignal.timeout(context.leftMs()),
    });
    body = await response.json().catch(() => undefined);
  } catch (cause) {
    const code =
      cause instanceof Error && cause.cause instanceof Error && 'code' in cause.cause
        ? ` (${cause.cause.code})`
        : '';
    return error({
      message: `${issuer} cannot be reached${code}.`,
      why,
      ...remedyOf(context, variable, issuer),
    });
  }
  const clock = checkClock(response.headers.get('date'), sentAtMs);
  const discovered = DiscoverySchema.safeParse(body).data;
  if (!response.ok || discovered === undefined) {
    const message = `${issuer} has no OpenID Connect discovery document (status ${response.status}).`;
    return [
      error({
        variable,
        message,
        why,
        fix: 'Set OAUTH_ISSUER to the issuer, without a path after it; leave it out for Google.',
      }),
      clock,
    ];
  }
  if (discovered.issuer.replace(/\/$/, '') !== issuer) {
    const message = `The provider at OAUTH_ISSUER calls itself ${discovered.issuer}.`;
    return [error({ variable, message, why, fix: `Set OAUTH_ISSUER=${discovered.issuer}.` }), clock];
  }
  const missing = IDENTITY_SCOPES.filter((scope) => discovered.scopes_supported?.includes(scope) === false);
  if (missing.length > 0) {
    const message = `The provider does not offer the scopes ${missing.join(', ')}.`;
    return [error({ variable, message, why, fix: 'Use a provider that does; Google does.' }), clock];
  }
  return [ok(`${issuer} answers, and offers the scopes of a sign-in.`), clock];
};

/**
 * Asks a provider to redeem a code that was never given. The token endpoint checks the client first (RFC 6749, section
 * 5.2): `invalid_grant` says that it was accepted, `invalid_client` and `unauthorized_client` that it was not; Google has
 * `deleted_client` and `disabled_client` besides (docs/GMAIL.md).
 */
const probeClient = async (provider: OidcProvider, issuer: string): Promise<OidcError> => {
  const state = randomUUID();
  const query = new URLSearchParams({ code: 'mailsweep-doctor', state, iss: issuer });
  // 43 characters are the fewest of a verifier (RFC 7636, section 4.1).
  const secrets = { state, nonce: state, codeVerifier: 'mailsweep-doctor'.padEnd(43, '0') };
  const failure: unknown = await provider.redeemCode(query, secrets).catch((cause: unknown) => cause);
  if (!(failure instanceof OidcError)) throw failure;
  return failure;
};

export const checkClient = async (context: DoctorContext): Promise<Findings> => {
  const clientId = need(context, 'OAUTH_CLIENT_ID');
  const clientSecret = need(context, 'OAUTH_CLIENT_SECRET');
  const issuer = need(context, 'OAUTH_ISSUER');
  const redirectUri = context.values.OAUTH_REDIRECT_URI ?? 'http://localhost:3000/auth/idp/callback';
  const provider = createOidcProvider({ issuer, clientId, clientSecret, redirectUri });
  const failure = await probeClient(provider, issuer);
  if (failure.code === 'invalid_grant') return ok('The provider accepts the client id and secret.');
  const isRefused = failure.code === 'provider_configuration';
  const report = isRefused ? error : warning;
  return report({
    variable: isRefused && failure.message.includes('deleted') ? 'OAUTH_CLIENT_ID' : 'OAUTH_CLIENT_SECRET',
    message: isRefused
      ? `The provider does not accept OAUTH_CLIENT_ID with OAUTH_CLIENT_SECRET: ${failure.message}.`
      : `Whether the provider accepts the client is not known: ${failure.message}.`,
    why: 'Nobody can sign in, and connections to mailboxes end within the hour.',
    fix: 'Compare both with the client in the Google Cloud console (Clients); a new secret can be added there.',
  });
};

/** Whether the Gmail API answers. Without a token it refuses: whether it is enabled shows only at a sign-in. */
export const checkGmail = async (context: DoctorContext): Promise<Findings> => {
  const baseUrl = need(context, 'GMAIL_BASE_URL');
  need(context, 'OAUTH_CLIENT_ID');
  const fault = { why: 'No mailbox can be opened.', ...remedyOf(context, 'GMAIL_BASE_URL', baseUrl) };
  try {
    const response = await fetch(`${baseUrl}/gmail/v1/users/me/profile`, {
      signal: AbortSignal.timeout(context.leftMs()),
    });
    await response.body?.cancel();
    if (response.status === 401) return ok(`${baseUrl} answers.`);
    return error({
      ...fault,
      message: `${baseUrl} answers with status ${response.status}, not as the Gmail API does.`,
    });
  } catch {
    return error({ ...fault, message: `${baseUrl} cannot be reached.` });
  }
};

type Entry = NonNullable<DoctorContext['values']['JMAP_PROVIDERS']>[number];

const JMAP_FAULT = {
  variable: 'JMAP_PROVIDERS',
  why: 'Its users cannot sign in, and their mailboxes are not opened.',
};

/** Without a token a JMAP server refuses to show a session. */
const checkSession = async ({ key, sessionUrl }: Entry, context: DoctorContext): Promise<Finding> => {
  const fault = {
    ...JMAP_FAULT,
    fix: `Let this machine reach it (DNS, firewall), or correct sessionUrl of ${key}.`,
  };
  try {
    const response = await fetch(sessionUrl, { signal: AbortSignal.timeout(context.leftMs()) });
    await response.body?.cancel();
    const { origin } = new URL(response.url);
    if (origin !== new URL(sessionUrl).origin) {
      const message = `The address of the JMAP session of ${key} redirects to ${origin}, which tokens are not sent to.`;
      return error({ ...fault, message, fix: `Set sessionUrl of ${key} to the session's address there.` });
    }
    if (response.status === 401) return ok(`The JMAP session of ${key} asks for a token.`);
    const message = `The address of the JMAP session of ${key} answers with status ${response.status}, not with 401.`;
    return error({ ...fault, message });
  } catch {
    return error({ ...fault, message: `The JMAP session of ${key} cannot be reached.` });
  }
};

const checkJmapClient = async (entry: Entry, redirectUri: string): Promise<Findings> => {
  const { key, issuer } = entry;
  const { oauth } = createJmapProvider(entry, redirectUri);
  if (oauth === undefined || issuer === undefined) return [];
  const { code, message } = await probeClient(oauth, issuer);
  if (code === 'invalid_grant') return ok(`${key} accepts its client.`);
  const isRefused = code === 'provider_configuration';
  const report = isRefused || code === 'provider_unavailable' ? error : warning;
  return report({
    ...JMAP_FAULT,
    message: isRefused
      ? `${key} does not accept clientId and clientSecret: ${message}.`
      : `Whether ${key} accepts the client is not known: ${message}.`,
    fix: `Compare issuer, clientId and clientSecret of ${key} with the client there, whose redirect URI has to be ${redirectUri}/${key}.`,
  });
};

/** Whether each JMAP server has a session, and an authorization server that takes our client. */
export const checkJmapProviders = async (context: DoctorContext): Promise<Findings> => {
  // What is wrong with its form, the check of variables says.
  const entries = need(context, 'JMAP_PROVIDERS');
  if (entries.length === 0) return skipped('None is configured.');
  const redirectUri = need(context, 'OAUTH_REDIRECT_URI');
  const findings = await Promise.all(
    entries.map((entry) => Promise.all([checkSession(entry, context), checkJmapClient(entry, redirectUri)])),
  );
  return findings.flat(2);
};
