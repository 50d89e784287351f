import { isIP } from 'node:net';
import { getDomain } from 'tldts';
import { type DoctorContext, explainMissing } from '../context.ts';
import { error, type Finding, faultsOr, skipped, warning } from '../finding.ts';

const GOOGLE = 'https://accounts.google.com';
const REDIRECT = 'OAUTH_REDIRECT_URI';

/** Whether a host is this machine: browsers and Google accept http there. */
export const isLocalHost = (hostname: string): boolean =>
  /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);

/** Whether browsers take two origins for one site (scheme and registrable domain), as the attribute SameSite does. */
const isSameSite = (one: URL, other: URL): boolean => {
  if (one.protocol !== other.protocol) return false;
  if (one.hostname === other.hostname) return true;
  const options = { allowPrivateDomains: true };
  const domain = getDomain(one.hostname, options);
  return domain !== null && domain === getDomain(other.hostname, options);
};

const checkScheme = (variable: string, { protocol, hostname }: URL): Finding | false =>
  protocol === 'http:' &&
  !isLocalHost(hostname) &&
  error({
    variable,
    message: `${variable} is an http address on ${hostname}.`,
    why: 'Google and browsers accept http for localhost alone: nobody can sign in.',
    fix: 'Put a proxy that ends TLS in front, and use its https address.',
  });

const checkRedirect = ({ env, values }: DoctorContext, redirect: URL): (Finding | false)[] => {
  const isLocal = isLocalHost(redirect.hostname);
  const isAddress = isIP(redirect.hostname.replace(/^\[|\]$/g, '')) !== 0;
  const port = Number(redirect.port || (redirect.protocol === 'https:' ? 443 : 80));
  const { PORT, PORT_HTTP } = values;
  return [
    checkScheme(REDIRECT, redirect),
    env.OAUTH_REDIRECT_URI?.endsWith('/') === true &&
      warning({
        variable: REDIRECT,
        message: 'OAUTH_REDIRECT_URI ends with a slash, which is not sent to the provider.',
        why: 'Where the slash is registered with Google, sign-ins end with redirect_uri_mismatch.',
        fix: `Remove the slash, and register exactly ${redirect.href} at Google.`,
      }),
    isAddress &&
      !isLocal &&
      values.OAUTH_ISSUER === GOOGLE &&
      error({
        variable: REDIRECT,
        message: 'OAUTH_REDIRECT_URI has an IP address for its host.',
        why: 'Google registers no redirect URI with an IP address.',
        fix: 'Use a host name.',
      }),
    isLocal &&
      PORT !== undefined &&
      ![PORT, PORT_HTTP].includes(port) &&
      warning({
        variable: REDIRECT,
        message: `OAUTH_REDIRECT_URI names port ${port} of this machine, and the API listens on ${PORT}.`,
        why: 'Unless something passes connections on, the browser finds nothing when it comes back from Google.',
        fix: `Use port ${PORT} in OAUTH_REDIRECT_URI and at Google, or set PORT=${port}.`,
      }),
  ];
};

const checkCookie = (sameSite: string | undefined, redirect: URL, origin: URL): Finding | false =>
  sameSite === 'none'
    ? redirect.protocol === 'http:' &&
      error({
        variable: 'SESSION_COOKIE_SAMESITE',
        message: 'SESSION_COOKIE_SAMESITE is none, and the API is on http.',
        why: 'Browsers store such cookies from https alone: every sign-in is lost at once.',
        fix: 'Use https for OAUTH_REDIRECT_URI, or set SESSION_COOKIE_SAMESITE=lax.',
      })
    : !isSameSite(redirect, origin) &&
      error({
        variable: 'FRONTEND_ORIGIN',
        message: `FRONTEND_ORIGIN (${origin.origin}) and OAUTH_REDIRECT_URI (${redirect.origin}) are two sites to browsers.`,
        why: 'Browsers then do not send the session cookie from the web app to the API: users seem signed out.',
        fix: 'Use one scheme and hosts of one domain (localhost and 127.0.0.1 differ), or https and SESSION_COOKIE_SAMESITE=none.',
      });

/** Whether the addresses of API and web app agree with each other, with the port and with the session cookie. */
export const checkAddresses = (context: DoctorContext): Finding[] => {
  const { OAUTH_REDIRECT_URI: redirectUri, FRONTEND_ORIGIN: frontendOrigin } = context.values;
  if (redirectUri === undefined) return [skipped(explainMissing(context, REDIRECT))];
  const redirect = new URL(redirectUri);
  const origin = frontendOrigin === undefined ? undefined : new URL(frontendOrigin);
  return faultsOr(
    `Sign-ins come back to ${redirect.href}.`,
    ...checkRedirect(context, redirect),
    origin && checkScheme('FRONTEND_ORIGIN', origin),
    origin && checkCookie(context.values.SESSION_COOKIE_SAMESITE, redirect, origin),
  );
};
