import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { type DoctorContext, explainMissing } from '../context.ts';
import { error, type Finding, ok, skipped, warning } from '../finding.ts';
import { isLocalHost } from './addresses.ts';

const TIMEOUT_MS = 5_000;
const DAY_MS = 86_400_000;
/** What renewals need that fail for some days. */
const ENDS_SOON_DAYS = 14;

type AddressVariable = 'OAUTH_REDIRECT_URI' | 'FRONTEND_ORIGIN';

/** What is wrong with the certificate of an https address, as seen from here. */
const inspectCertificate = async (variable: AddressVariable, url: URL): Promise<Finding> => {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // A certificate that is not accepted is looked at, too.
  const socket = connect({
    host,
    port: Number(url.port || 443),
    ...(isIP(host) === 0 && { servername: host }),
    rejectUnauthorized: false,
    timeout: TIMEOUT_MS,
  });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(TIMEOUT_MS) });
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

/** Certificates of the addresses that browsers know. */
export const checkTls = async ({ values }: DoctorContext): Promise<Finding[]> => {
  const variables: AddressVariable[] = ['OAUTH_REDIRECT_URI', 'FRONTEND_ORIGIN'];
  const urls = new Map<string, [AddressVariable, URL]>();
  for (const variable of variables) {
    const value = values[variable];
    const url = value === undefined ? undefined : new URL(value);
    if (url?.protocol === 'https:' && !urls.has(url.host)) urls.set(url.host, [variable, url]);
  }
  if (urls.size === 0) return [skipped('No public address is on https.')];
  return Promise.all([...urls.values()].map(([variable, url]) => inspectCertificate(variable, url)));
};

/** Whether the API answers at its public address, through whatever is in front of it. */
export const checkPublicAddress = async (context: DoctorContext): Promise<Finding[]> => {
  const { OAUTH_REDIRECT_URI: redirectUri, FRONTEND_ORIGIN: frontendOrigin } = context.values;
  if (redirectUri === undefined) return [skipped(explainMissing(context, 'OAUTH_REDIRECT_URI'))];
  const url = new URL(redirectUri);
  let response: Response;
  try {
    response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.body?.cancel();
  } catch {
    if (isLocalHost(url.hostname)) return [skipped(`The API does not run at ${url.origin} now.`)];
    return [
      warning({
        variable: 'OAUTH_REDIRECT_URI',
        message: `Nothing answers at ${url.origin}.`,
        why: 'Either the API or the proxy in front does not run, or this machine cannot reach its own public address.',
        fix: `Open ${url.origin}/api/v1/health in a browser elsewhere.`,
      }),
    ];
  }
  // Without the query of a provider the API sends the browser back to the web app, with an error.
  const location = response.headers.get('location') ?? '';
  if (response.status !== 302 || !URL.canParse(location))
    return [
      error({
        variable: 'OAUTH_REDIRECT_URI',
        message: `${url.href} answers with status ${response.status}, not as the API does.`,
        why: 'The browser comes back from Google to this address: no sign-in succeeds.',
        fix: 'Have the proxy pass /auth, /api, /mcp, /docs and /.well-known on to the API with their whole path, or correct OAUTH_REDIRECT_URI.',
      }),
    ];
  const { origin } = new URL(location);
  if (frontendOrigin !== undefined && origin !== frontendOrigin)
    return [
      error({
        variable: 'FRONTEND_ORIGIN',
        message: `The API at ${url.origin} sends browsers to ${origin}, and FRONTEND_ORIGIN is ${frontendOrigin}.`,
        why: 'That API was started with other variables, or belongs to another installation.',
        fix: 'Restart the API with these variables, or correct OAUTH_REDIRECT_URI.',
      }),
    ];
  return [ok(`The API answers at ${url.origin}.`)];
};
