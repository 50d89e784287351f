import { type AccessTokenSource, createCallTokens, MailboxError } from '@mailsweep/mail/mailbox';
import { exchange, HttpExchangeError, parseJson } from '@mailsweep/service-kit/http-client';
import { type Clock, createRetryBudget, retryDelayMs } from '@mailsweep/service-kit/resilience';
import { toEventSourceUrl } from './event-source-url.ts';
import type { JmapConnection } from './jmap-connections.ts';
import {
  type Failure,
  JmapMethodError,
  STALE_ERRORS,
  toExchangeFailure,
  toResponseFailure,
  UNREADABLE,
} from './jmap-errors.ts';
import {
  CORE,
  ErrorSchema,
  type JmapAccount,
  type JmapLimits,
  MAIL,
  type MethodCall,
  ResponseSchema,
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

export interface JmapClientOptions {
  server: ServerAddress;
  accessTokens: AccessTokenSource;
  /** What is known of the user's account, shared by all clients of a process. */
  connection: JmapConnection;
  callTimeoutMs: number;
  /** For a request that changes many records. */
  setTimeoutMs: number;
  /** How long errors may delay one call of the port before it gives up, in milliseconds. */
  retryBudgetMs: number;
  maxResponseBytes: number;
  clock: Clock;
  /** A number from 0 up to but not including 1; spreads retries. */
  random: () => number;
  signal?: AbortSignal | undefined;
}

type Calls = readonly MethodCall<unknown>[];
type ResultOf<C> = C extends MethodCall<infer T> ? T : never;

/** The requests that one call of the port makes; they share one retry budget. */
export interface JmapSession {
  readonly accountId: string;
  readonly account: JmapAccount;
  /** Of the server, as errors name it. */
  readonly host: string;
  /** Where the server tells of changes of emails; undefined where it does not. */
  readonly eventSourceUrl: URL | undefined;
  readonly limits: JmapLimits;
  readonly connection: JmapConnection;
  readonly clock: Clock;
  /**
   * Sends method calls that change nothing, in one request, and repeats it when that may help.
   *
   * @throws {JmapMethodError} the first error of one of them
   * @throws {MailboxError} when the request fails
   */
  send<const C extends Calls>(calls: C): Promise<{ [K in keyof C]: ResultOf<C[K]> }>;
  /**
   * Sends method calls that change records, in one request. It is repeated only where the server has certainly done
   * nothing.
   *
   * @returns for each call its response or its error
   * @throws {MailboxError} when the request fails; unless `code` tells otherwise it may have been carried out
   */
  change<const C extends Calls>(calls: C): Promise<{ [K in keyof C]: ResultOf<C[K]> | JmapMethodError }>;
  /**
   * Waits before changes are sent again, unless the retry budget is used up.
   *
   * @param error - why they have to be
   * @throws {MailboxError} it
   */
  pause(attemptsMade: number, error: MailboxError): Promise<void>;
}

export interface JmapClient {
  /** Does the work of one call of the port. @throws {MailboxError} when there is no session */
  withSession<T>(work: (session: JmapSession) => Promise<T>): Promise<T>;
}

type Attempt<T> = { value: T } | { failure: Failure };

const NO_RESPONSE: Failure = {
  error: new MailboxError('mailbox_unavailable', 'The mail server sent a response that could not be read'),
  remedy: 'none',
  isUndone: false,
};

const TOO_MANY_IN_FLIGHT: Failure = {
  error: new MailboxError('rate_limited', 'Too many requests of the user are in flight at the mail server'),
  remedy: 'retry',
  isUndone: true,
};

const readResult = <T>(
  call: MethodCall<T>,
  [name, result]: [string?, unknown?, string?],
  host: string,
): T | JmapMethodError => {
  const { data } = name === call.name ? call.response.safeParse(result) : {};
  if (data !== undefined) return data;
  const error = name === 'error' ? ErrorSchema.safeParse(result).data : undefined;
  return new JmapMethodError(error?.type ?? UNREADABLE, call.name, host);
};

/** The attempts of all requests of one call of the port. */
const beginCall = (options: JmapClientOptions) => {
  const { clock, connection, maxResponseBytes, random, server } = options;
  const { host } = new URL(server.sessionUrl);
  const tokens = createCallTokens(options.accessTokens);
  const budget = createRetryBudget(options.retryBudgetMs);
  let ended: MailboxError | undefined;

  const end = (error: MailboxError): MailboxError => {
    ended ??= error;
    return error;
  };

  const readKnownSession = async (token: string): Promise<Session | Failure> => {
    if (connection.session !== undefined) return connection.session;
    const timeoutMs = options.callTimeoutMs;
    const session = await readSession(server, { token, timeoutMs, nowMs: clock.nowMs() });
    if ('apiUrl' in session) connection.know(session);
    return session;
  };

  const attemptSession = async (token: string): Promise<Attempt<Session>> => {
    const session = await readKnownSession(token);
    return 'apiUrl' in session ? { value: session } : { failure: session };
  };

  const attemptCalls =
    (calls: Calls, accountId: string, timeoutMs: number) =>
    async (token: string): Promise<Attempt<unknown[]>> => {
      const session = await readKnownSession(token);
      if (!('apiUrl' in session)) return { failure: session };
      const releaseSlot = await connection.takeSlot(session, timeoutMs);
      if (releaseSlot === undefined) return { failure: TOO_MANY_IN_FLIGHT };
      const response = await exchange({
        method: 'POST',
        peer: 'jmap',
        template: '/api',
        url: session.apiUrl,
        headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
        body: {
          using: [CORE, MAIL],
          methodCalls: calls.map(({ name, arguments: args }, index) => [
            name,
            { accountId, ...args },
            `${index}`,
          ]),
        },
        timeoutMs,
        maxResponseBytes,
      }).finally(releaseSlot);
      if (response.status < 200 || response.status > 299) {
        const names = calls.map(({ name }) => name).join(', ');
        return { failure: toResponseFailure(response, `${host} responded to ${names}`, clock.nowMs()) };
      }
      const { data } = ResponseSchema.safeParse(parseJson(response.text));
      if (data === undefined) return { failure: NO_RESPONSE };
      if (data.sessionState != null && data.sessionState !== session.state) connection.forget();
      const results = calls.map((call, index) =>
        readResult(call, data.methodResponses.find(([, , id]) => id === `${index}`) ?? [], host),
      );
      if (results.some((result) => result instanceof JmapMethodError && STALE_ERRORS.has(result.type))) {
        connection.forget();
      }
      return { value: results };
    };

  const attemptSafely = async <T>(attempt: (token: string) => Promise<Attempt<T>>, token: string) => {
    try {
      return await connection.limit(() => attempt(token));
    } catch (error) {
      if (error instanceof HttpExchangeError) return { failure: toExchangeFailure(error) };
      throw error;
    }
  };

  const pause = async (error: MailboxError, startedMs: number, attemptsMade: number): Promise<void> => {
    const delayMs = retryDelayMs({ attemptsMade, retryAfterMs: error.retryAfterMs, random });
    if (!budget.spend(startedMs, clock.nowMs() + delayMs)) throw end(error);
    await clock.sleep(delayMs);
  };

  const run = async <T>(
    attempt: (token: string) => Promise<Attempt<T>>,
    isRepeatable: boolean,
  ): Promise<T> => {
    let token = await tokens.current();
    let isRenewed = false;
    for (let attemptsMade = 1; ; attemptsMade += 1) {
      options.signal?.throwIfAborted();
      if (ended) throw ended;
      const startedMs = clock.nowMs();
      const outcome = await attemptSafely(attempt, token);
      if ('value' in outcome) return outcome.value;
      const { error, remedy, isUndone, isStale } = outcome.failure;
      if (isStale) connection.forget();
      if (remedy === 'renew_token' && !isRenewed) {
        token = await tokens.renew(token);
        isRenewed = true;
      } else if (remedy === 'retry' && (isRepeatable || isUndone)) {
        await pause(error, startedMs, attemptsMade);
      } else {
        throw remedy === 'none' || remedy === 'retry' ? error : end(error);
      }
    }
  };

  return {
    host,
    readSession: () => run(attemptSession, true),
    async send(calls: Calls, accountId: string): Promise<unknown[]> {
      const attempt = attemptCalls(calls, accountId, options.callTimeoutMs);
      return await run(async (token) => {
        const outcome = await attempt(token);
        const error =
          'value' in outcome ? outcome.value.find((one) => one instanceof JmapMethodError) : undefined;
        if (error === undefined) return outcome;
        return { failure: { error, remedy: error.isTransient ? 'retry' : 'none', isUndone: true } };
      }, true);
    },
    change: (calls: Calls, accountId: string): Promise<unknown[]> =>
      run(attemptCalls(calls, accountId, options.setTimeoutMs), false),
    pause,
  };
};

/**
 * Creates the way to a JMAP server, which turns every failure into a {@link MailboxError}. It opens nothing that needs
 * closing.
 */
export const createJmapClient = (options: JmapClientOptions): JmapClient => ({
  async withSession(work) {
    const call = beginCall(options);
    const { account, accountId, eventSourceUrl, limits } = await call.readSession();
    return await work({
      accountId,
      account,
      host: call.host,
      eventSourceUrl,
      limits,
      connection: options.connection,
      clock: options.clock,
      send: (calls) => call.send(calls, accountId) as never,
      change: (calls) => call.change(calls, accountId) as never,
      pause: (attemptsMade, error) => call.pause(error, options.clock.nowMs(), attemptsMade),
    });
  },
});
