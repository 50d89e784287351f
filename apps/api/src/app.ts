import { API_ROUTES, type RouteContract } from '@mailsweep/contracts';
import { GMAIL } from '@mailsweep/mail/provider-connection';
import { createDocsRouter, createErrorHandler, requestId, routeNotFound } from '@mailsweep/service-kit';
import express, { type Express, type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { createAuthRouter } from './auth/auth.routes.ts';
import { createAuthorizationServer } from './auth/authorization-server/authorization-server.ts';
import { createOAuthRouter, toServerMetadata } from './auth/authorization-server/oauth.routes.ts';
import { toResources } from './auth/authorization-server/read-authorization-request.ts';
import { createPersonalTokens } from './auth/personal-tokens/personal-tokens.ts';
import { createSessions } from './auth/sessions.ts';
import { createFindAccount } from './auth/sign-in/describe-provider.ts';
import type { Config } from './config.ts';
import type { Dependencies } from './dependencies.ts';
import { createGuards, type Guards } from './guards.ts';
import { createProblem } from './http/problems.ts';
import { translateError } from './http/translate-error.ts';
import { createMcpRouter } from './mcp/mcp.router.ts';
import { API_TITLE, createOpenApiDocument } from './openapi/document.ts';
import { createDescribeProblem, PROBLEMS_PATH, serveProblemsPage } from './openapi/problems-page.ts';
import { createAnswerDoctor } from './operations/answer-doctor.ts';
import {
  addAccountRoutes,
  addAuthorizationRoutes,
  addOwnMailboxRoutes,
  addPreferencesRoutes,
  addPushRoutes,
  addSessionRoutes,
  addTokenRoutes,
} from './routes/account/account.routes.ts';
import { addCleanupRoutes, addRuleRoutes } from './routes/cleanups/cleanups.routes.ts';
import { addHistoryRoutes } from './routes/history/history.routes.ts';
import {
  addMailboxRoutes,
  addProtectionRoutes,
  addScanRoutes,
  addSenderRoutes,
} from './routes/mailbox/mailbox.routes.ts';
import { addHealthRoutes, addProviderRoutes } from './routes/public.routes.ts';
import { addLearningRoutes, addSuggestionRoutes } from './routes/suggestions/suggestions.routes.ts';
import { createSecurityLog } from './security-log.ts';

/** Builds the API, from its dependencies; it does not listen. What is mounted first runs first. */
export const createApp = (config: Config, dependencies: Dependencies): Express => {
  const { accessLog, logger } = dependencies;
  const guards = createGuards(config, dependencies);
  const routers = createRouters(config, dependencies, guards);
  const { measure, cors, limitInFlight, shedLoad, limitFailures, apiOrigin: origin } = guards;
  const describe = createDescribeProblem({ origin, validationErrorStatus: config.VALIDATION_ERROR_STATUS });

  const app = express();
  app.set('trust proxy', config.TRUST_PROXY_HOPS);
  // Only conditional routes have tags, and compare them themselves: If-None-Match: * gets the whole response.
  app.set('etag', false);
  Object.defineProperty(app.request, 'fresh', { value: false });

  app.use(measure, requestId, helmet(), cors, limitInFlight, shedLoad, accessLog);
  app.use('/auth', guards.auth, routers.auth);
  app.use('/oauth', routers.oauth);
  app.get('/.well-known/oauth-authorization-server', ...guards.docs, (_request, response) => {
    response.json(toServerMetadata(origin));
  });
  app.use(routers.mcp);
  app.get(API_ROUTES.checkHealth.path, createAnswerDoctor(config));
  app.use(API_ROUTES.checkDatabaseHealth.path, guards.health);
  app.use(API_ROUTES.listProviders.path, guards.providers);
  app.use(routers.api);
  app.use(['/docs', '/openapi.json'], guards.docs);
  app.get(PROBLEMS_PATH, serveProblemsPage);
  app.use(createDocsRouter({ title: API_TITLE, createDocument: () => createOpenApiDocument(origin) }));
  app.use(
    refuseOtherMethods,
    routeNotFound,
    limitFailures,
    createErrorHandler({ logger, translate: translateError, describe }),
  );

  guards.inProcess.serve(app);
  return app;
};

const ROUTES = Object.values<RouteContract>(API_ROUTES).map(({ method, path }) => ({
  methods: method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
  segments: path.toLowerCase().split('/'),
}));

const fits = (segments: readonly string[], path: readonly string[]): boolean =>
  segments.length === path.length &&
  segments.every((segment, index) =>
    segment.startsWith('{') ? path[index] !== '' : segment === path[index],
  );

/** A path that takes other methods is no wrong path (RFC 9110, section 15.5.6). */
const refuseOtherMethods: RequestHandler = ({ path, method }, _response, next) => {
  // As the router does, without regard to case and a slash at the end.
  const asked = path.toLowerCase().replace(/\/$/, '').split('/');
  const methods = ROUTES.flatMap((route) => (fits(route.segments, asked) ? route.methods : []));
  if (methods.length === 0) return next();
  const allow = [...new Set(methods)].join(', ');
  throw createProblem('method_not_allowed', `${path} does not take ${method}, but ${allow}.`, {
    headers: { allow },
  });
};

const createRouters = (config: Config, dependencies: Dependencies, guards: Guards) => {
  const { database, isDatabaseReachable, mailsweep, outgoingCalls, signIn, findClient, logger } =
    dependencies;
  const { providers, providersOf } = dependencies;
  const { apiOrigin, readClient, clearSessionCookie, cookiePolicy, countLookUp, heavyQueue, queryQueue } =
    guards;
  const { FRONTEND_ORIGIN: frontendOrigin } = config;
  const securityLog = createSecurityLog(logger);
  const sessions = createSessions({ database });
  const resources = toResources(apiOrigin);
  const authorizationServer = createAuthorizationServer({ database, issuer: apiOrigin, resources });
  // Gmail, unless the operator has no client at Google.
  const [firstProvider = GMAIL] = providers.keys();
  const defaultProvider = providers.has(GMAIL) ? GMAIL : firstProvider;

  const auth = createAuthRouter({
    defaultProvider,
    signIn,
    sessions,
    cookiePolicy,
    clearSessionCookie,
    readClient,
    frontendOrigin,
    tokenGuards: guards.token,
    signOutGuards: guards.signOut,
    securityLog,
  });
  const oauth = createOAuthRouter({
    authorizationServer,
    findClientFor: (request, response) => findClient(() => countLookUp(request, response)),
    resources,
    frontendOrigin,
    readClient,
    securityLog,
    logger,
    guards: guards.oauth,
    tokenGuards: guards.oauthTokens,
    limitFailures: guards.limitFailures,
  });
  const mcp = createMcpRouter({
    apiOrigin,
    inProcess: guards.inProcess,
    addressOf: ({ ip }) => ip ?? '',
    guards: guards.assistant,
    metadataGuards: guards.docs,
    parseBody: guards.parseAssistantBody,
    logger,
  });

  const { bind, bindToMailbox } = guards;
  const api = Router();
  addHealthRoutes(api, bind, isDatabaseReachable);
  addProviderRoutes(api, bind, { providers, providersOf });
  addAccountRoutes(api, bind, {
    mailsweep,
    outgoingCalls,
    findAccount: createFindAccount({ database, providers }),
    heavyQueue,
    securityLog,
  });
  addOwnMailboxRoutes(api, bind, { mailsweep, providers });
  addPreferencesRoutes(api, bind, mailsweep);
  addPushRoutes(api, bind, mailsweep);
  addSessionRoutes(api, bind, { mailsweep, sessions, securityLog });
  addTokenRoutes(api, bind, { personalTokens: createPersonalTokens({ database }), securityLog });
  addAuthorizationRoutes(api, bind, authorizationServer);
  addMailboxRoutes(api, bindToMailbox, mailsweep);
  addSuggestionRoutes(api, bindToMailbox, mailsweep);
  addSenderRoutes(api, bind, { mailsweep, queryQueue });
  addProtectionRoutes(api, bind, mailsweep);
  addLearningRoutes(api, bind, { mailsweep, queryQueue });
  addScanRoutes(api, bind, mailsweep);
  addCleanupRoutes(api, { bind, bindToMailbox }, { mailsweep, heavyQueue });
  addRuleRoutes(api, { bind, bindToMailbox }, { mailsweep, heavyQueue });
  addHistoryRoutes(api, bind, { mailsweep, queryQueue, securityLog });
  return { auth, oauth, mcp, api };
};
