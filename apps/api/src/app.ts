import { answerNotFound, createDocsRouter, createErrorHandler, requestId } from '@mailsweep/service-kit';
import cors from 'cors';
import express, { type Express, type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { createAuthRouter } from './auth/auth.routes.ts';
import { createAuthenticate, sessionOf } from './auth/authenticate.ts';
import { createCookiePolicy } from './auth/session-cookie.ts';
import type { Config } from './config.ts';
import type { Dependencies } from './dependencies.ts';
import { createBindRoute } from './http/bind-route.ts';
import { createCrossSiteGuard, requireJsonBody } from './http/cross-site-guard.ts';
import { createJsonBodyParser } from './http/json-body.ts';
import { API_TITLE, createOpenApiDocument } from './http/openapi.ts';
import { createRateLimit } from './http/rate-limits.ts';
import { createBulkhead, createLoadShedding } from './http/shed-load.ts';
import { translateError } from './http/translate-error.ts';
import { createMeasureRequests } from './operations/measure-requests.ts';
import { addAccountRoutes } from './routes/account.routes.ts';
import { addHealthRoutes } from './routes/health.routes.ts';
import { addMailboxRoutes } from './routes/mailbox.routes.ts';
import { addNotificationRoutes } from './routes/notifications.routes.ts';
import { addScanRoutes } from './routes/scans.routes.ts';
import { addSenderRoutes } from './routes/senders.routes.ts';
import { addSuggestionRoutes } from './routes/suggestions.routes.ts';
import { createSecurityLog } from './security-log.ts';

/** Largest body read. */
const BODY_LIMIT = '256kb';
/** Share of the requests under way that may wait for the mail provider. */
const MAILBOX_SHARE = 4 / 5;
/** Share of those that need the database alone: about what its connections serve before anyone gives up waiting. */
const DATABASE_SHARE = 2 / 5;
/** How long a browser may remember the answer to a preflight request, in seconds. */
const PREFLIGHT_MAX_AGE_S = 600;

/** Builds the API, from its dependencies; it does not listen. */
export const createApp = (config: Config, dependencies: Dependencies): Express => {
  const {
    database,
    useCases,
    sessionTokens,
    signIn,
    redis,
    accessLog,
    metrics,
    eventLoopDelay,
    eventStreams,
    logger,
  } = dependencies;
  const securityLog = createSecurityLog(logger);
  const apiOrigin = new URL(config.OAUTH_REDIRECT_URI).origin;

  const crossSiteGuard = createCrossSiteGuard({ allowedOrigins: [config.FRONTEND_ORIGIN, apiOrigin] });
  const authenticate = createAuthenticate({ database, sessionTokens });
  const limitByAddress = createRateLimit({
    name: 'auth',
    requestsPerMinute: config.AUTH_RATE_LIMIT_PER_MINUTE,
    keyOf: (request) => request.ip ?? 'unknown',
    redis,
    onRefused: metrics.countRateLimited,
  });
  const limitByUser = createRateLimit({
    name: 'api',
    requestsPerMinute: config.API_RATE_LIMIT_PER_MINUTE,
    keyOf: (_request, response) => sessionOf(response).userId,
    redis,
    onRefused: metrics.countRateLimited,
  });

  const shedLoad = createLoadShedding({
    maxInFlight: config.MAX_REQUESTS_IN_FLIGHT,
    delayMs: eventLoopDelay.recentMs,
    onShed: metrics.countShed,
    logger,
  });
  const limitShare = (reason: string, share: number) =>
    createBulkhead({
      maxInFlight: Math.ceil(config.MAX_REQUESTS_IN_FLIGHT * share),
      onShed: () => metrics.countShed(reason),
    });

  const api = Router();
  const guards = [crossSiteGuard, requireJsonBody, authenticate, limitByUser];
  const routeOptions = {
    parseBody: createJsonBodyParser(BODY_LIMIT),
    eventStreams,
    validationErrorStatus: config.VALIDATION_ERROR_STATUS,
  };
  // Shares come first: finding out who asks takes the database, too.
  const bind = createBindRoute({
    ...routeOptions,
    authenticatedGuards: [limitShare('database', DATABASE_SHARE), ...guards],
  });
  const bindToMailbox = createBindRoute({
    ...routeOptions,
    authenticatedGuards: [limitShare('mailbox', MAILBOX_SHARE), ...guards],
  });
  addHealthRoutes(api, bind, database);
  addAccountRoutes(api, bind, {
    database,
    useCases,
    securityLog,
    validationErrorStatus: config.VALIDATION_ERROR_STATUS,
  });
  addMailboxRoutes(api, bindToMailbox, useCases);
  addSuggestionRoutes(api, bindToMailbox, useCases);
  addSenderRoutes(api, bind, useCases);
  addScanRoutes(api, bind, { database, useCases });
  addNotificationRoutes(api, bind, { database, useCases, securityLog });

  const auth = createAuthRouter({
    database,
    signIn,
    cookiePolicy: createCookiePolicy({ apiUrl: apiOrigin, sameSite: config.SESSION_COOKIE_SAMESITE }),
    frontendOrigin: config.FRONTEND_ORIGIN,
    signOutGuards: [crossSiteGuard, requireJsonBody, authenticate],
    securityLog,
  });

  const app = express();
  app.set('trust proxy', config.TRUST_PROXY_HOPS);
  // Answers are not to be kept (no-store), so that nobody has to ask whether one has changed; who asks all the same
  // (If-None-Match: *) gets it whole.
  app.set('etag', false);
  Object.defineProperty(app.request, 'fresh', { value: false });
  // Refused requests are counted, not logged: there are many of them, and the process has enough to do.
  const cors = createCors(config.FRONTEND_ORIGIN);
  app.use(createMeasureRequests(metrics), requestId, helmet(), cors, shedLoad, accessLog);
  app.use('/auth', limitByAddress, auth);
  app.use(api);
  app.use(createDocsRouter({ title: API_TITLE, createDocument: createOpenApiDocument }));
  app.use(answerNotFound);
  app.use(createErrorHandler({ logger, translate: translateError }));
  return app;
};

const createCors = (frontendOrigin: string): RequestHandler =>
  cors({
    origin: [frontendOrigin],
    credentials: true,
    methods: ['GET', 'POST', 'DELETE'],
    allowedHeaders: ['content-type', 'authorization', 'x-request-id', 'last-event-id'],
    exposedHeaders: [
      'x-request-id',
      'ratelimit-limit',
      'ratelimit-remaining',
      'ratelimit-reset',
      'retry-after',
    ],
    maxAge: PREFLIGHT_MAX_AGE_S,
  });
