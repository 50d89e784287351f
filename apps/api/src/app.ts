import { API_ROUTES } from '@mailsweep/contracts';
import { GMAIL } from '@mailsweep/provider-connection';
import {
  createDocsRouter,
  createErrorHandler,
  requestId,
  routeNotFound,
  toClientKey,
} from '@mailsweep/service-kit';
import express, { type Express, type Request, Router } from 'express';
import helmet from 'helmet';
import { createAuthRouter } from './auth/auth.routes.ts';
import { createAuthenticate, hasCaller, limitKeyOf } from './auth/authenticate.ts';
import { createAuthorizationServer } from './auth/authorization-server/authorization-server.ts';
import { createOAuthRouter, toServerMetadata } from './auth/authorization-server/oauth.routes.ts';
import { toResources } from './auth/authorization-server/read-authorization-request.ts';
import { createCrossSiteGuard } from './auth/cross-site-guard.ts';
import { createPersonalTokens } from './auth/personal-tokens/personal-tokens.ts';
import { createRequireAccess } from './auth/require-access.ts';
import { createClearSessionCookie, createCookiePolicy } from './auth/session-token.ts';
import { createSignOut } from './auth/sign-out.ts';
import type { Config } from './config.ts';
import type { Dependencies } from './dependencies.ts';
import { createReadClient } from './http/client.ts';
import { createCors } from './http/cors.ts';
import { createRespondOnce } from './http/idempotency.ts';
import { createJsonBodyParser, requireJsonBody } from './http/json-body.ts';
import { translateError } from './http/translate-error.ts';
import {
  createClientLimits,
  createFailureLimit,
  createRateLimit,
  type KeyOf,
} from './limits/client-limits.ts';
import { createQueryQueue } from './limits/query-queue.ts';
import { createLoadShedding, createSlotPool, createWorkSlots } from './limits/shed-load.ts';
import { createInProcess } from './mcp/in-process.ts';
import { createMcpRouter, toMcpMetadataUrl } from './mcp/mcp.router.ts';
import { createSiteGuard, createTokenGuard } from './mcp/mcp-guards.ts';
import { API_TITLE, createOpenApiDocument } from './openapi/document.ts';
import { createDescribeProblem, PROBLEMS_PATH, serveProblemsPage } from './openapi/problems-page.ts';
import { createMeasureRequests, type RequestLimit, type ShedReason } from './operations/metrics.ts';
import { addAccountRoutes, addPreferencesRoutes } from './routes/account/account.routes.ts';
import { addAuthorizationRoutes } from './routes/account/authorizations.routes.ts';
import { addPushRoutes } from './routes/account/push.routes.ts';
import { addSessionRoutes } from './routes/account/sessions.routes.ts';
import { addTokenRoutes } from './routes/account/tokens.routes.ts';
import { createBindRoute } from './routes/bind-route.ts';
import { addCleanupRoutes } from './routes/cleanups/cleanups.routes.ts';
import { addRuleRoutes } from './routes/cleanups/rules.routes.ts';
import { addHealthRoutes } from './routes/health.routes.ts';
import { addHistoryRoutes } from './routes/history/history.routes.ts';
import { addMailboxRoutes } from './routes/mailbox/mailbox.routes.ts';
import { addProtectionRoutes } from './routes/mailbox/protections.routes.ts';
import { addScanRoutes } from './routes/mailbox/scans.routes.ts';
import { addSenderRoutes } from './routes/mailbox/senders.routes.ts';
import { addProviderRoutes } from './routes/providers.routes.ts';
import { addLearningRoutes, addSuggestionRoutes } from './routes/suggestions/suggestions.routes.ts';
import { createSecurityLog } from './security-log.ts';

/** Largest body read. */
const BODY_LIMIT = '256kb';
/** Share of the slots for requests that may wait for the provider. */
const MAILBOX_SHARE = 4 / 5;
/** Share for those that need the database alone: sized to the throughput of the connection pool. */
const DATABASE_SHARE = 2 / 5;
/**
 * Limits on queries that go through a user's whole mailbox, of this process: two take a fifth of the default connection
 * pool, and the last of 40 users has a turn within a few seconds.
 */
const MAILBOX_QUERY_LIMITS = { concurrency: 2, maxUsers: 40 };
/** Requests for the documentation from one address; a visit takes fewer than ten. */
const DOCS_REQUESTS_PER_MINUTE = 60;

/** Builds the API, from its dependencies; it does not listen. */
export const createApp = (config: Config, dependencies: Dependencies): Express => {
  const {
    database,
    useCases,
    sessionTokens,
    sessionLife,
    signIn,
    findClient,
    providers,
    providersOf,
    redis,
    accessLog,
    metrics,
    eventLoopDelay,
    logger,
  } = dependencies;
  const securityLog = createSecurityLog(logger);
  const apiOrigin = new URL(config.OAUTH_REDIRECT_URI).origin;

  const allowedOrigins = [config.FRONTEND_ORIGIN, apiOrigin];
  const crossSiteGuard = createCrossSiteGuard({ allowedOrigins });
  const cookiePolicy = createCookiePolicy({ apiUrl: apiOrigin, sameSite: config.SESSION_COOKIE_SAMESITE });
  const clearSessionCookie = createClearSessionCookie(cookiePolicy);
  const signOut = createSignOut({ database });
  // `request.ip` takes forwarding headers into account as far as `trust proxy` is set.
  const clientAddressOf = (request: Request) => toClientKey(request.ip);
  const readClient = createReadClient(clientAddressOf);
  const limitRequests = (name: RequestLimit, requestsPerMinute: number, keyOf: KeyOf = clientAddressOf) =>
    createRateLimit({ name, requestsPerMinute, keyOf, redis, onRefused: metrics.countRateLimited });
  const limitByAddress = limitRequests('auth', config.AUTH_RATE_LIMIT_PER_MINUTE);
  const limitUnauthenticated = (name: RequestLimit) => limitRequests(name, config.limits.failuresPerMinute);
  const authenticateFor = createAuthenticate({
    database,
    sessionTokens,
    sessionLife,
    cookiePolicy,
    limitUnknownTokens: limitUnauthenticated('tokens'),
    logger,
  });
  const authenticate = authenticateFor('api');
  const inProcess = createInProcess();
  const requireAccess = createRequireAccess(config.limits.recentSignInMinutes);
  // No slot is held for these, and unread responses stay in the kernel's memory.
  const limitDocs = limitRequests('docs', DOCS_REQUESTS_PER_MINUTE);
  const limitByUser = limitRequests('api', config.API_RATE_LIMIT_PER_MINUTE, (_request, response) =>
    limitKeyOf(response),
  );

  const slots = createSlotPool({
    size: config.limits.slots,
    onFull: () => metrics.countShed('in_flight'),
  });
  const shedLoad = createLoadShedding({
    slots,
    isExempt: (path) => isHealthCheck(path) || isDocumentation(path),
    delayMs: eventLoopDelay.recentMs,
    onShed: metrics.countShed,
    logger,
  });
  const shareOfSlots = (reason: ShedReason, share: number) =>
    createWorkSlots([
      slots,
      createSlotPool({ size: Math.ceil(slots.size * share), onFull: () => metrics.countShed(reason) }),
    ]);

  const clientLimits = createClientLimits({
    maxInFlightPerAddress: config.limits.inFlightPerAddress,
    maxInFlightPerUser: config.limits.inFlightPerUser,
    addressOf: (request) => (isHealthCheck(request.path) ? undefined : clientAddressOf(request)),
    onRefused: metrics.countRateLimited,
    onShed: metrics.countShed,
  });

  const authSlots = createWorkSlots([slots]);
  const api = Router();
  const guards = [
    crossSiteGuard,
    requireJsonBody,
    inProcess.authenticateOr(authenticate),
    limitByUser,
    clientLimits.byUser,
  ];
  const routeOptions = {
    authenticatedGuards: guards,
    requireAccess,
    parseBody: createJsonBodyParser(BODY_LIMIT),
    downloadGuards: clientLimits.exports,
    readClient,
    clearSessionCookie,
    respondOnce: createRespondOnce({ database, logger }),
  };
  const bind = createBindRoute({ ...routeOptions, slots: shareOfSlots('database', DATABASE_SHARE) });
  const bindToMailbox = createBindRoute({ ...routeOptions, slots: shareOfSlots('mailbox', MAILBOX_SHARE) });
  api.use(API_ROUTES.checkDatabaseHealth.path, limitUnauthenticated('health'));
  addHealthRoutes(api, bind, useCases);
  // A look-up calls servers that the client names.
  api.use(
    API_ROUTES.listProviders.path,
    limitRequests('providers', config.AUTH_RATE_LIMIT_PER_MINUTE),
    authSlots.hold,
  );
  addProviderRoutes(api, bind, { providers, providersOf });
  addAccountRoutes(api, bind, { useCases, securityLog });
  addPreferencesRoutes(api, bind, useCases);
  addPushRoutes(api, bind, useCases);
  addSessionRoutes(api, bind, { useCases, signOut, securityLog });
  addTokenRoutes(api, bind, { personalTokens: createPersonalTokens({ database }), securityLog });
  const resources = toResources(apiOrigin);
  const authorizationServer = createAuthorizationServer({
    database,
    issuer: apiOrigin,
    resources,
    findClient,
  });
  addAuthorizationRoutes(api, bind, authorizationServer);
  addMailboxRoutes(api, bindToMailbox, useCases);
  addSuggestionRoutes(api, bindToMailbox, useCases);
  const queryQueue = createQueryQueue({
    ...MAILBOX_QUERY_LIMITS,
    onFull: () => metrics.countShed('mailbox_queries'),
  });
  addSenderRoutes(api, bind, { useCases, queryQueue });
  addProtectionRoutes(api, bind, useCases);
  addLearningRoutes(api, bind, { useCases, queryQueue });
  addScanRoutes(api, bind, useCases);
  addCleanupRoutes(api, { bind, bindToMailbox }, useCases);
  addRuleRoutes(api, { bind, bindToMailbox }, useCases);
  addHistoryRoutes(api, bind, { useCases, queryQueue, securityLog });

  // Gmail, unless the operator has no client at Google.
  const [defaultProvider = GMAIL] = providers.keys();
  const auth = createAuthRouter({
    defaultProvider,
    signIn,
    signOut,
    cookiePolicy,
    clearSessionCookie,
    readClient,
    frontendOrigin: config.FRONTEND_ORIGIN,
    // A slow client holds no slot while it sends its body.
    tokenGuards: [
      crossSiteGuard,
      requireJsonBody,
      authSlots.release,
      ...createJsonBodyParser(BODY_LIMIT),
      authSlots.hold,
    ],
    signOutGuards: [crossSiteGuard, requireJsonBody, authenticate, requireAccess('session')],
    securityLog,
  });

  const oauth = createOAuthRouter({
    authorizationServer,
    resources,
    frontendOrigin: config.FRONTEND_ORIGIN,
    readClient,
    securityLog,
    guards: [limitRequests('oauth', config.AUTH_RATE_LIMIT_PER_MINUTE), createWorkSlots([slots]).hold],
  });

  const mcp = createMcpRouter({
    apiOrigin,
    inProcess,
    addressOf: ({ ip }) => ip ?? '',
    // The requests of its tools meet the other guards.
    guards: [
      createSiteGuard(apiOrigin, allowedOrigins),
      requireJsonBody,
      createTokenGuard(authenticateFor('mcp'), toMcpMetadataUrl(apiOrigin)),
      limitByUser,
    ],
    metadataGuards: [limitDocs],
    parseBody: createJsonBodyParser(BODY_LIMIT),
    logger,
  });

  const app = express();
  app.set('trust proxy', config.TRUST_PROXY_HOPS);
  // Only conditional routes have tags, and compare them themselves: If-None-Match: * gets the whole response.
  app.set('etag', false);
  Object.defineProperty(app.request, 'fresh', { value: false });
  // Refused requests are counted, not logged: there are many of them, and the process has enough to do.
  const cors = createCors(config.FRONTEND_ORIGIN);
  app.use(
    createMeasureRequests(metrics),
    requestId,
    helmet(),
    cors,
    clientLimits.byAddress,
    shedLoad,
    accessLog,
  );
  app.use('/auth', limitByAddress, authSlots.hold, auth);
  app.use('/oauth', oauth);
  app.get('/.well-known/oauth-authorization-server', limitDocs, (_request, response) => {
    response.json(toServerMetadata(apiOrigin));
  });
  app.use(mcp);
  app.use(api);
  app.use(['/docs', '/openapi.json'], limitDocs);
  app.get(PROBLEMS_PATH, serveProblemsPage);
  app.use(createDocsRouter({ title: API_TITLE, createDocument: createOpenApiDocument }));
  app.use(routeNotFound);
  app.use(createFailureLimit({ limit: limitUnauthenticated('failures'), isKnown: hasCaller }));
  const describe = createDescribeProblem({
    origin: apiOrigin,
    validationErrorStatus: config.VALIDATION_ERROR_STATUS,
  });
  app.use(createErrorHandler({ logger, translate: translateError, describe }));
  inProcess.serve(app);
  return app;
};

/** Probes report whether the process is alive, not whether it is busy. */
const isHealthCheck = (path: string): boolean => path === '/api/v1/health' || path === '/api/v1/health/db';

/** Files that cost next to nothing, however slowly they are read. */
const isDocumentation = (path: string): boolean =>
  path === '/openapi.json' || path === '/docs' || path.startsWith('/docs/');
