import { createOutageLog, ProblemError, toClientKey } from '@mailsweep/service-kit';
import { localhostAllowedHostnames, validateHostHeader } from '@modelcontextprotocol/server';
import type { Request, RequestHandler } from 'express';
import { callerOf, createAuthenticate, hasCaller, isToken, limitKeyOf } from './auth/authenticate.ts';
import { toGrantKey } from './auth/authorization-server/oauth.routes.ts';
import { createCrossSiteGuard, createRequireAccess } from './auth/require-access.ts';
import { createClearSessionCookie, createCookiePolicy, readPresentedToken } from './auth/session-token.ts';
import type { Config } from './config.ts';
import type { Dependencies } from './dependencies.ts';
import { createReadClient } from './http/client.ts';
import { createCors } from './http/cors.ts';
import { createRespondOnce } from './http/idempotency.ts';
import { createJsonBodyParser, requireJsonBody } from './http/json-body.ts';
import { createProblem } from './http/problems.ts';
import {
  createClientLimits,
  createFailureLimit,
  createRateLimit,
  type KeyOf,
} from './limits/client-limits.ts';
import { createQueryQueue } from './limits/query-queue.ts';
import { createHoldSlots, createLoadShedding, createSlotPool } from './limits/shed-load.ts';
import { createInProcess } from './mcp/in-process.ts';
import { toMcpMetadataUrl } from './mcp/mcp.router.ts';
import { createMeasureRequests, type RequestLimit, type ShedReason } from './operations/metrics.ts';
import { createBindRoute } from './routes/bind-route.ts';

/**
 * Refuses what another site makes a browser send (DNS rebinding): a foreign Origin, and a Host that is not ours.
 *
 * @param apiOrigin - our own; where it is on this machine, each name of this machine will do
 */
const createSiteGuard = (apiOrigin: string, allowedOrigins: readonly string[]): RequestHandler => {
  const { hostname } = new URL(apiOrigin);
  const local = localhostAllowedHostnames();
  const hostnames = local.includes(hostname) ? local : [hostname];
  return (request, _response, next) => {
    const { origin, host } = request.headers;
    const isForeign = origin !== undefined && !allowedOrigins.includes(origin);
    if (isForeign || !validateHostHeader(host, hostnames).ok)
      throw createProblem('cross_site_request', 'Requests from other sites are refused.');
    next();
  };
};

/**
 * Takes personal access tokens of the `Authorization` header alone. A refusal says where a client finds out how to get one
 * (RFC 9728).
 */
const createTokenGuard =
  (authenticate: RequestHandler, metadataUrl: string): RequestHandler =>
  async (request, response, next) => {
    const isPresented = request.headers.authorization !== undefined;
    const refuse = (cause?: unknown) =>
      createProblem('unauthorized', 'A valid token is needed: see the address in WWW-Authenticate.', {
        headers: {
          'www-authenticate': `Bearer ${isPresented ? 'error="invalid_token", ' : ''}resource_metadata="${metadataUrl}"`,
        },
        cause,
      });
    if (readPresentedToken(request).kind !== 'bearer') throw refuse();
    try {
      await authenticate(request, response, () => undefined);
    } catch (error) {
      throw error instanceof ProblemError && error.code === 'unauthorized' ? refuse(error) : error;
    }
    if (!isToken(callerOf(response))) {
      delete response.locals.caller;
      throw refuse();
    }
    next();
  };

const BODY_LIMIT = '256kb';
/** Share of the slots for requests that may wait for the provider. */
const MAILBOX_SHARE = 4 / 5;
/** Share for requests to the database alone: sized to the throughput of the connection pool. */
const DATABASE_SHARE = 2 / 5;
/**
 * Limits of this process on queries that go through a user's whole mailbox: two take a fifth of the default connection
 * pool, and the last of 40 users has a turn within a few seconds.
 */
const MAILBOX_QUERY_LIMITS = { concurrency: 2, maxUsers: 40 };
/** The same on work that keeps processors busy and that nobody needs again at once: plans, undos of cleanups, exports. */
const HEAVY_WORK_LIMITS = { concurrency: 2, maxUsers: 40, rests: true };
/** Requests for the documentation from one address; a visit takes fewer than ten. */
const DOCS_REQUESTS_PER_MINUTE = 60;

/** Makes the guards of requests; `app.ts` says where each applies, and in which order. */
export const createGuards = (config: Config, dependencies: Dependencies) => {
  const { database, mailsweep, sessionTokens, sessionLife, redis, metrics, eventLoopDelay, logger } =
    dependencies;
  const apiOrigin = new URL(config.OAUTH_REDIRECT_URI).origin;
  const allowedOrigins = [config.FRONTEND_ORIGIN, apiOrigin];
  const cookiePolicy = createCookiePolicy({ apiUrl: apiOrigin, sameSite: config.SESSION_COOKIE_SAMESITE });
  const clearSessionCookie = createClearSessionCookie(cookiePolicy);
  // `request.ip` takes forwarding headers into account as far as `trust proxy` is set.
  const addressOf = (request: Request) => toClientKey(request.ip);
  const readClient = createReadClient(addressOf);

  const outageLog = createOutageLog(logger, 'counting requests over all replicas');
  const limitRequests = (name: RequestLimit, requestsPerMinute: number, keyOf: KeyOf = addressOf) =>
    createRateLimit({
      name,
      requestsPerMinute,
      keyOf,
      redis,
      outageLog,
      onRefused: metrics.countRateLimited,
    });
  const limitSignIn = (name: RequestLimit) => limitRequests(name, config.AUTH_RATE_LIMIT_PER_MINUTE);
  const limitUnauthenticated = (name: RequestLimit) => limitRequests(name, config.limits.failuresPerMinute);
  const limitByUser = limitRequests('api', config.API_RATE_LIMIT_PER_MINUTE, (_request, response) =>
    limitKeyOf(response),
  );
  const clientLimits = createClientLimits({
    maxInFlightPerAddress: config.limits.inFlightPerAddress,
    maxInFlightPerUser: config.limits.inFlightPerUser,
    addressOf: (request) => (isHealthCheck(request.path) ? undefined : addressOf(request)),
    onRefused: metrics.countRateLimited,
    onShed: metrics.countShed,
  });
  const countDomainLookUp: RequestHandler = (request, response, next) => {
    if (request.query.domain !== undefined) clientLimits.countLookUp(request, response);
    next();
  };

  const slots = createSlotPool({ size: config.limits.slots, onFull: () => metrics.countShed('in_flight') });
  const holdSlot = createHoldSlots([slots]);
  const holdShare = (reason: ShedReason, share: number) =>
    createHoldSlots([
      slots,
      createSlotPool({ size: Math.ceil(slots.size * share), onFull: () => metrics.countShed(reason) }),
    ]);

  const authenticateFor = createAuthenticate({
    database,
    sessionTokens,
    sessionLife,
    cookiePolicy,
    limitUnknownTokens: limitUnauthenticated('tokens'),
    logger,
  });
  const inProcess = createInProcess();
  const authenticate = inProcess.authenticateOr(authenticateFor('api'));
  const authenticateAgain: RequestHandler = (request, response, next) =>
    hasCaller(response) ? authenticate(request, response, next) : next();
  const authenticateAssistant = createTokenGuard(authenticateFor('mcp'), toMcpMetadataUrl(apiOrigin));
  const requireAccess = createRequireAccess(config.limits.recentSignInMinutes);
  const ownSite = [createCrossSiteGuard({ allowedOrigins }), requireJsonBody];
  const readBody = createJsonBodyParser(BODY_LIMIT);

  const routeOptions = {
    authenticatedGuards: [...ownSite, authenticate, limitByUser, clientLimits.byUser],
    authenticate,
    requireAccess,
    parseBody: createJsonBodyParser(BODY_LIMIT, authenticateAgain),
    downloadGuards: clientLimits.exports,
    readClient,
    clearSessionCookie,
    respondOnce: createRespondOnce(mailsweep),
  };

  const onFull = () => metrics.countShed('mailbox_queries');
  return {
    apiOrigin,
    cookiePolicy,
    clearSessionCookie,
    readClient,
    inProcess,
    countLookUp: clientLimits.countLookUp,
    queryQueue: createQueryQueue({ ...MAILBOX_QUERY_LIMITS, onFull }),
    heavyQueue: createQueryQueue({ ...HEAVY_WORK_LIMITS, onFull }),
    /** Binds routes that need the database alone. */
    bind: createBindRoute({ ...routeOptions, holdSlots: holdShare('database', DATABASE_SHARE) }),
    bindToMailbox: createBindRoute({ ...routeOptions, holdSlots: holdShare('mailbox', MAILBOX_SHARE) }),

    /** Before every request. Those refused here are counted, not logged: they are many when the process is busy. */
    measure: createMeasureRequests(metrics),
    cors: createCors(config.FRONTEND_ORIGIN),
    limitInFlight: clientLimits.byAddress,
    shedLoad: createLoadShedding({
      slots,
      isExempt: (path) => isHealthCheck(path) || isDocumentation(path),
      delayMs: eventLoopDelay.recentMs,
      onShed: metrics.countShed,
      logger,
    }),

    /** Of single routes. */
    auth: [limitSignIn('auth'), holdSlot],
    token: [...ownSite, ...readBody],
    signOut: [...ownSite, authenticate, requireAccess('session'), ...readBody],
    oauth: [limitSignIn('oauth'), holdSlot],
    oauthTokens: [limitRequests('oauth', config.AUTH_RATE_LIMIT_PER_MINUTE, toGrantKey), holdSlot],
    health: [limitUnauthenticated('health')],
    providers: [limitSignIn('providers'), countDomainLookUp],
    /** No slot is held for documentation, and unread responses stay in the kernel's memory. */
    docs: [limitRequests('docs', DOCS_REQUESTS_PER_MINUTE)],
    /** The requests that the tools of assistants send in turn meet the other guards. */
    assistant: [
      createSiteGuard(apiOrigin, allowedOrigins),
      requireJsonBody,
      authenticateAssistant,
      limitByUser,
      clientLimits.callsByUser,
    ],
    parseAssistantBody: createJsonBodyParser(BODY_LIMIT, authenticateAssistant),

    /** After every request that failed. */
    limitFailures: createFailureLimit({ limit: limitUnauthenticated('failures'), isKnown: hasCaller }),
  };
};

export type Guards = ReturnType<typeof createGuards>;

/** Probes report whether the process is alive, not whether it is busy. */
const isHealthCheck = (path: string): boolean => path === '/api/v1/health' || path === '/api/v1/health/db';

/** Files that cost next to nothing, however slowly they are read. */
const isDocumentation = (path: string): boolean =>
  path === '/openapi.json' || path === '/docs' || path.startsWith('/docs/');
