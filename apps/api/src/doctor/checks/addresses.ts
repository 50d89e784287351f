import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { createDoctorQuestion } from '@mailsweep/mail/provider-connection';
import { getDomain } from 'tldts';
import { DOCTOR_HEADER, DoctorAnswerSchema } from '../../operations/answer-doctor.ts';
import { compareVariables } from '../compare-variables.ts';
import { type DoctorContext, need } from '../context.ts';
import { error, type Finding, type Findings, faultsOr, ok, skipped, warning } from '../finding.ts';
import { findListenError } from './machine.ts';

const GOOGLE = 'https://accounts.google.com';
const REDIRECT = 'OAUTH_REDIRECT_URI';

/** Whether a host is this machine: browsers and Google accept http there. */
const isLocalHost = (hostname: string): boolean =>
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
export const checkAddresses = (context: DoctorContext): Findings => {
  const { FRONTEND_ORIGIN: frontendOrigin } = context.values;
  const redirect = new URL(need(context, REDIRECT));
  const origin = frontendOrigin === undefined ? undefined : new URL(frontendOrigin);
  return faultsOr(
    `Sign-ins come back to ${redirect.href}.`,
    ...checkRedirect(context, redirect),
    origin && checkScheme('FRONTEND_ORIGIN', origin),
    origin && checkCookie(context.values.SESSION_COOKIE_SAMESITE, redirect, origin),
  );
};

const DAY_MS = 86_400_000;
/** What renewals need that fail for some days. */
const ENDS_SOON_DAYS = 14;

type AddressVariable = 'OAUTH_REDIRECT_URI' | 'FRONTEND_ORIGIN';

/** What is wrong with the certificate of an https address, as seen from here. */
const inspectCertificate = async (
  variable: AddressVariable,
  url: URL,
  timeoutMs: number,
): Promise<Finding> => {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // A certificate that is not accepted is looked at, too.
  const socket = connect({
    host,
    port: Number(url.port || 443),
    ...(isIP(host) === 0 && { servername: host }),
    rejectUnauthorized: false,
    timeout: timeoutMs,
  });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(timeoutMs) });
    const { valid_to: validTo } = socket.getPeerCertificate();
    const daysLeft = Math.floor((Date.parse(validTo) - Date.now()) / DAY_MS);
    if (!socket.authorized)
      return error({
        variable,
        message: `The certificate of ${url.host} is not accepted: ${socket.authorizationError}.`,
        why: 'Browsers show a warning in place of the page, and programs do not connect.',
        fix: `Have the proxy serve a valid certificate with its chain for ${host}, or correct the host in ${variable}.`,
      });
    if (daysLeft < ENDS_SOON_DAYS)
      return warning({
        variable,
        message: `The certificate of ${url.host} ends in ${daysLeft} days.`,
        why: 'After that nobody can connect; its renewal seems to fail.',
        fix: 'Renew it, and look at the log of what renews it.',
      });
    return ok(`The certificate of ${url.host} is valid for ${daysLeft} days.`);
  } catch (cause) {
    return warning({
      variable,
      message: `No TLS connection to ${url.host}: ${cause instanceof Error ? cause.message : cause}.`,
      why: 'Either nothing serves https there, or this machine cannot reach its own public address.',
      fix: 'Open the address in a browser elsewhere; if that fails, look at the proxy in front.',
    });
  } finally {
    socket.destroy();
  }
};

export const checkTls = async ({ values, leftMs }: DoctorContext): Promise<Findings> => {
  const variables: AddressVariable[] = ['OAUTH_REDIRECT_URI', 'FRONTEND_ORIGIN'];
  const urls = new Map<string, [AddressVariable, URL]>();
  for (const variable of variables) {
    const value = values[variable];
    const url = value === undefined ? undefined : new URL(value);
    if (url?.protocol === 'https:' && !urls.has(url.host)) urls.set(url.host, [variable, url]);
  }
  if (urls.size === 0) return skipped('No public address is on https.');
  return Promise.all(
    [...urls.values()].map(([variable, url]) => inspectCertificate(variable, url, leftMs())),
  );
};

/** What came of a request; `refused`: nothing listens there. */
type Reply = { response: Response; text: string } | { failure: string; isRefused: boolean };

const call = async (
  { leftMs }: DoctorContext,
  url: URL,
  headers: Record<string, string> = {},
): Promise<Reply> => {
  try {
    const response = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(leftMs()) });
    return { response, text: await response.text() };
  } catch (cause) {
    const { name = '', cause: reason } = cause instanceof Error ? cause : {};
    const code = reason instanceof Error && 'code' in reason ? String(reason.code) : '';
    const failure = name === 'TimeoutError' ? 'it did not answer in time' : code || 'no connection';
    return { failure, isRefused: code === 'ECONNREFUSED' };
  }
};

const API_PATHS = '/auth, /api, /mcp, /docs and /.well-known';

/** How many proxies the API believes in, and how many there are. */
const checkProxies = (url: URL, { headers }: Response, proxies: number, hops: number): Finding | false => {
  const variable = 'TRUST_PROXY_HOPS';
  const isBehindProxy = url.protocol === 'https:' || headers.has('via') || headers.has('server');
  if (proxies === 0 && hops === 0 && isBehindProxy)
    return error({
      variable,
      message: `Something in front of the API serves ${url.origin}, and sends no X-Forwarded-For.`,
      why: 'All clients share one address and its limits.',
      fix: 'Have the proxy add the client to X-Forwarded-For, and set TRUST_PROXY_HOPS to the number of proxies.',
    });
  if (proxies > hops)
    return error({
      variable,
      message: `Requests to ${url.origin} come through ${proxies} proxies, and TRUST_PROXY_HOPS is ${hops}.`,
      why: 'All clients behind the proxy share one address and its limits: a few of them shut out the others.',
      fix: `Set TRUST_PROXY_HOPS=${proxies}.`,
    });
  const report = proxies === 0 ? error : warning;
  return (
    proxies < hops &&
    report({
      variable,
      message: `TRUST_PROXY_HOPS is ${hops}, and requests to ${url.origin} come through ${proxies} proxies that send X-Forwarded-For.`,
      why: 'Clients choose their own address, and with it get round all limits.',
      fix: `Set TRUST_PROXY_HOPS=${proxies}, or have each proxy add the client to X-Forwarded-For. From elsewhere there may be more proxies.`,
    })
  );
};

/** Whether the API has the variables that we have, knows what is in front of it, and lets the web app read its answers. */
const inspectApi = async (context: DoctorContext, redirect: URL, knowsWebApp: boolean): Promise<Findings> => {
  const { TOKEN_ENCRYPTION_KEY: key, FRONTEND_ORIGIN: origin, TRUST_PROXY_HOPS: hops } = context.values;
  if (key === undefined || origin === undefined) return [];
  const question = createDoctorQuestion(key);
  const reply = await call(context, new URL('/api/v1/health', redirect), {
    origin,
    [DOCTOR_HEADER]: question,
  });
  if (!('response' in reply))
    return error({
      variable: REDIRECT,
      message: `${redirect.origin}/api/v1/health cannot be read: ${reply.failure}.`,
      why: 'The web app reads and changes everything below this path.',
      fix: `Have the proxy pass ${API_PATHS} on to the API.`,
    });
  const { response } = reply;
  const given = response.headers.get(DOCTOR_HEADER);
  const answer = given === null ? undefined : DoctorAnswerSchema.safeParse(JSON.parse(given)).data;
  const allowed = response.headers.get('access-control-allow-origin');
  if (answer === undefined)
    return [
      response.ok
        ? warning({
            variable: 'TOKEN_ENCRYPTION_KEY',
            message: `The API at ${redirect.origin} does not know the key of these variables.`,
            why: 'It was started with other variables, is of another version, or belongs to another installation.',
            fix: 'Restart it with these variables, or correct OAUTH_REDIRECT_URI.',
          })
        : error({
            variable: REDIRECT,
            message: `${redirect.origin}/api/v1/health answers with status ${response.status}.`,
            why: 'The web app reads and changes everything below this path.',
            fix: `Have the proxy pass ${API_PATHS} on to the API with their whole path.`,
          }),
    ];
  return [
    ...compareVariables(context, 'API', question, answer.variables),
    hops !== undefined && checkProxies(redirect, response, answer.proxies, hops),
    knowsWebApp &&
      origin !== redirect.origin &&
      allowed !== origin &&
      error({
        variable: 'FRONTEND_ORIGIN',
        message: `The API at ${redirect.origin} lets ${allowed ?? 'no origin'} read its answers, not ${origin}.`,
        why: 'Browsers keep the answers from the web app.',
        fix: 'Restart the API with this FRONTEND_ORIGIN, and have the proxy leave Access-Control headers alone.',
      }),
  ].filter((finding) => finding !== false);
};

/** Whether the API answers at its public address, through whatever is in front of it. */
export const checkPublicAddress = async (context: DoctorContext): Promise<Findings> => {
  const { FRONTEND_ORIGIN: frontendOrigin } = context.values;
  const url = new URL(need(context, REDIRECT));
  const reply = await call(context, url);
  if (!('response' in reply)) {
    if (isLocalHost(url.hostname) && reply.isRefused)
      return skipped(`The API does not run at ${url.origin} now.`);
    const report = isLocalHost(url.hostname) ? error : warning;
    return report({
      variable: REDIRECT,
      message: `Nothing answers at ${url.origin}: ${reply.failure}.`,
      why: 'Either the API or the proxy in front does not run, or this machine cannot reach its own public address.',
      fix: `Open ${url.origin}/api/v1/health in a browser elsewhere.`,
    });
  }
  // Without the query of a provider the API sends the browser back to the web app, with an error.
  const { status, headers } = reply.response;
  const location = headers.get('location') ?? '';
  if (status !== 302 || !URL.canParse(location))
    return error({
      variable: REDIRECT,
      message: `${url.href} answers with status ${status}, not as the API does.`,
      why: 'The browser comes back from Google to this address: no sign-in succeeds.',
      fix: `Have the proxy pass ${API_PATHS} on to the API with their whole path, or correct OAUTH_REDIRECT_URI.`,
    });
  const { origin } = new URL(location);
  return faultsOr(
    `The API answers at ${url.origin}.`,
    frontendOrigin !== undefined &&
      origin !== frontendOrigin &&
      error({
        variable: 'FRONTEND_ORIGIN',
        message: `The API at ${url.origin} sends browsers to ${origin}, and FRONTEND_ORIGIN is ${frontendOrigin}.`,
        why: 'That API was started with other variables, or belongs to another installation.',
        fix: 'Restart the API with these variables, or correct OAUTH_REDIRECT_URI.',
      }),
    await inspectApi(context, url, origin === frontendOrigin),
  );
};

/** In an image, addresses of this machine are those of its container: browsers have others. */
const isImage =
  !import.meta.filename.includes('/src/') && ['/.dockerenv', '/run/.containerenv'].some(existsSync);

/** Whether sign-ins end in a page of the web app, which calls this API. */
export const checkWebApp = async (context: DoctorContext): Promise<Findings> => {
  const { OAUTH_REDIRECT_URI: redirectUri } = context.values;
  const variable = 'FRONTEND_ORIGIN';
  const origin = need(context, variable);
  const url = new URL('/auth/callback', origin);
  const isLocal = isLocalHost(url.hostname);
  if (isLocal && isImage) return skipped(`${origin} is for browsers outside of this container.`);
  const api = redirectUri === undefined ? undefined : new URL(redirectUri);
  if (
    isLocal &&
    api !== undefined &&
    (await findListenError(Number(api.port || 80), undefined)) === undefined
  )
    return skipped('The API does not run now.');
  const reply = await call(context, url);
  const why = 'Sign-ins end there: users see an error in place of their mailbox.';
  if (!('response' in reply))
    return [
      (isLocal ? error : warning)({
        variable,
        message: `Nothing answers at FRONTEND_ORIGIN (${origin}): ${reply.failure}.`,
        why,
        fix: 'Start the web app or the proxy in front of it, or correct FRONTEND_ORIGIN.',
      }),
    ];
  const { status, headers } = reply.response;
  const type = headers.get('content-type') ?? 'nothing';
  if (status !== 200 || !type.startsWith('text/html'))
    return error({
      variable,
      message: `${url.href} answers with status ${status} and ${type.split(';')[0]}, not with the page of a web app.`,
      why,
      fix: `Have the proxy send all paths but ${API_PATHS}, of /auth all but /auth/callback, to the web app; or correct FRONTEND_ORIGIN.`,
    });
  // Our web server names the API that its pages call.
  const called = /^<([^>]+)>; rel=preconnect/.exec(headers.get('link') ?? '')?.[1];
  if (called !== undefined && api !== undefined && called !== api.origin)
    return error({
      variable: 'API_ORIGIN',
      message: `The web app at ${origin} calls the API at ${called}, and OAUTH_REDIRECT_URI is at ${api.origin}.`,
      why: 'Signed in at one address, users are signed out at the other.',
      fix: `Start the web app with API_ORIGIN=${api.origin}, or correct OAUTH_REDIRECT_URI.`,
    });
  return ok(`The web app answers at ${origin}.`);
};

/** Begins a sign-in as a browser does, as far as the provider's page. */
export const checkSignIn = async (context: DoctorContext): Promise<Findings> => {
  const redirectUri = need(context, REDIRECT);
  need(context, 'OAUTH_CLIENT_ID');
  const reply = await call(context, new URL('/auth/idp', redirectUri));
  if (!('response' in reply)) return skipped('The API does not answer: see the check "public address".');
  const { status, headers } = reply.response;
  const page = headers.get('location') ?? '';
  const why = 'Nobody can sign in.';
  if (status !== 302 || !URL.canParse(page) || !page.includes('redirect_uri='))
    return error({
      message: `A sign-in does not begin: ${new URL('/auth/idp', redirectUri).href} answers with status ${status} and leads to ${page ? new URL(page, redirectUri).origin : 'nothing'}.`,
      why,
      fix: 'Look at the log of the API; if it shows no request, have the proxy pass /auth on to it.',
    });
  if (headers.get('set-cookie') === null)
    return error({
      variable: REDIRECT,
      message: `The cookie of a sign-in does not arrive from ${new URL(redirectUri).origin}.`,
      why,
      fix: 'Have the proxy pass Set-Cookie on.',
    });
  const shown = await call(context, new URL(page));
  if (!('response' in shown)) return skipped('The provider does not answer: see the check "provider".');
  // Google answers with a redirect to a page of its own, whose query says why.
  const refusal = shown.response.headers.get('location') ?? '';
  if (shown.response.status < 400 && !/\/oauth\/error/.test(refusal))
    return ok('A sign-in gets as far as the page of the provider.');
  return error({
    variable: REDIRECT,
    message: `The provider refuses sign-ins that come back to ${redirectUri} (status ${shown.response.status}).`,
    why,
    fix: `Register exactly this redirect URI with the client OAUTH_CLIENT_ID at the provider.`,
  });
};
