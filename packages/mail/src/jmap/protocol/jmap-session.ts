import { MailboxError } from '@mailsweep/mail/mailbox';
import { exchange, parseJson } from '@mailsweep/service-kit/http-client';
import { toEventSourceUrl } from './event-source-url.ts';
import { type Failure, toResponseFailure } from './jmap-errors.ts';
import {
  type JmapAccount,
  type JmapLimits,
  MAIL,
  type SessionResource,
  SessionResourceSchema,
} from './jmap-schemas.ts';

/** Most redirects on the way to the session resource (RFC 8620, 2.2: "following any redirects"). */
const MAX_REDIRECTS = 3;
/** Sessions list accounts and capabilities: some kilobytes, more with many shared accounts. */
const MAX_BYTES = 1024 * 1024;

export interface Session {
  apiUrl: URL;
  /** Of emails; undefined where there is none at the origin of `sessionUrl`. */
  eventSourceUrl: URL | undefined;
  accountId: string;
  account: JmapAccount;
  /** What the server calls its user: an address at most servers. */
  username: string;
  limits: JmapLimits;
  state: string;
}

export interface ServerAddress {
  sessionUrl: string;
  /** The user’s account, where it is known; otherwise the primary one for mail. */
  accountId?: string | undefined;
}

const toFailure = (code: MailboxError['code'], message: string): Failure => ({
  error: new MailboxError(code, message),
  remedy: 'end_call',
  isUndone: true,
});

const hasSameOrigin = ({ sessionUrl }: ServerAddress, url: URL): boolean =>
  new URL(sessionUrl).origin === url.origin;

const toSession = (address: ServerAddress, url: URL, resource: SessionResource): Session | Failure => {
  const { accountId = resource.primaryAccounts[MAIL] ?? '' } = address;
  const account = Object.hasOwn(resource.accounts, accountId) ? resource.accounts[accountId] : undefined;
  if (account === undefined) return toFailure('mail_service_disabled', 'The account has no mail');
  // Relative at Cyrus.
  const apiUrl = URL.canParse(resource.apiUrl, url) ? new URL(resource.apiUrl, url) : undefined;
  if (apiUrl === undefined || !hasSameOrigin(address, apiUrl)) {
    const { origin } = new URL(address.sessionUrl);
    const elsewhere = apiUrl?.origin ?? 'no address';
    return toFailure('provider_configuration', `${origin} has its API at ${elsewhere}`);
  }
  const eventSourceUrl = toEventSourceUrl(resource.eventSourceUrl, url);
  return {
    apiUrl,
    eventSourceUrl: eventSourceUrl && hasSameOrigin(address, eventSourceUrl) ? eventSourceUrl : undefined,
    accountId,
    account,
    username: resource.username || account.name,
    limits: resource.capabilities['urn:ietf:params:jmap:core'],
    state: resource.state,
  };
};

/**
 * Reads the session resource (RFC 8620, 2). The token is sent to the origin of `sessionUrl` alone, wherever the server
 * points.
 *
 * @param options.timeoutMs - how long that may take, with all redirects
 * @throws {HttpExchangeError} when there is no response
 */
export const readSession = async (
  address: ServerAddress,
  options: { token: string; timeoutMs: number; nowMs: number },
): Promise<Session | Failure> => {
  const deadlineMs = performance.now() + options.timeoutMs;
  let url = new URL(address.sessionUrl);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await exchange({
      method: 'GET',
      peer: 'jmap',
      template: '/session',
      url,
      headers: { authorization: `Bearer ${options.token}`, accept: 'application/json' },
      timeoutMs: Math.max(1, deadlineMs - performance.now()),
      maxResponseBytes: MAX_BYTES,
    });
    if (response.status >= 200 && response.status <= 299) {
      const { data } = SessionResourceSchema.safeParse(parseJson(response.text));
      return data === undefined
        ? { ...toFailure('mailbox_unavailable', 'The session resource could not be read'), isStale: true }
        : toSession(address, url, data);
    }
    const { status, location } = response;
    const isRedirect =
      status >= 301 && status <= 308 && location !== undefined && URL.canParse(location, url);
    if (!isRedirect) return toResponseFailure(response, `${url.host} responded`, options.nowMs);
    url = new URL(location, url);
    if (!hasSameOrigin(address, url)) {
      const { origin } = new URL(address.sessionUrl);
      return toFailure('provider_configuration', `${origin} redirects to ${url.origin}`);
    }
  }
  return toFailure('mailbox_unavailable', 'The session resource has too many redirects');
};
