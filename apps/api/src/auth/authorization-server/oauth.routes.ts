import { createHash } from 'node:crypto';
import { type Logger, requestIdOf } from '@mailsweep/service-kit';
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import type { ReadClient } from '../../http/client.ts';
import { createBodyReader } from '../../http/json-body.ts';
import { waitForOthers } from '../../http/request-end.ts';
import type { SecurityLog } from '../../security-log.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { type FindClient, MAX_CLIENT_ID_LENGTH } from './oauth-clients.ts';
import { OAuthError, sendOAuthError } from './oauth-error.ts';
import { OFFLINE_ACCESS, type Resources, readScope, SCOPES } from './read-authorization-request.ts';

const FORM = 'application/x-www-form-urlencoded';
const FORM_LIMIT = '16kb';
const GRANT_TYPES = ['authorization_code', 'refresh_token'];

/** What the token endpoints count requests by: servers of assistants send those of all their users from one address. */
export const toGrantKey = ({ body }: Request): string => {
  const form = new URLSearchParams(String(body ?? ''));
  const names = ['client_id', 'code', 'refresh_token', 'token'];
  return createHash('sha256')
    .update(JSON.stringify(names.map((name) => form.get(name))))
    .digest('base64url');
};

/** Reads the form that a client without a secret sends (RFC 6749, section 3.2). */
const readForm = (request: Request) => {
  if (!request.is(FORM)) throw new OAuthError('invalid_request', `The body has to be ${FORM}.`);
  const form = new URLSearchParams(String(request.body ?? ''));
  const names = [...form.keys()];
  if (new Set(names).size < names.length)
    throw new OAuthError('invalid_request', 'A parameter occurs twice.');
  if (request.headers.authorization !== undefined || form.has('client_secret'))
    throw new OAuthError(
      'invalid_client',
      'Only public clients are supported: send client_id and no secret.',
    );
  const required = (name: string): string => {
    const value = form.get(name);
    if (!value) throw new OAuthError('invalid_request', `${name} is missing.`);
    return value;
  };
  return { form, required };
};

/**
 * The endpoints of the authorization server. Whatever a browser brings to `/oauth/authorize`, it goes on to the front end's
 * `/authorize`, or back to a program on its own computer.
 *
 * @param options.guards - run before the authorization endpoint, which browsers of users open
 * @param options.tokenGuards - run before the others, once their form is read; many users' requests come from one server
 * @param options.limitFailures - counts those that fail
 */
export const createOAuthRouter = (options: {
  authorizationServer: AuthorizationServer;
  findClientFor: (request: Request, response: Response) => FindClient;
  resources: Resources;
  frontendOrigin: string;
  readClient: ReadClient;
  securityLog: SecurityLog;
  logger: Logger;
  guards: RequestHandler[];
  tokenGuards: RequestHandler[];
  limitFailures: ErrorRequestHandler;
}): Router => {
  const { authorizationServer, resources, readClient, securityLog, logger } = options;
  const page = `${options.frontendOrigin}/authorize`;

  const authorize = async (request: Request, response: Response): Promise<void> => {
    const query = new URL(request.originalUrl, 'http://authorize').searchParams;
    const findClient = options.findClientFor(request, response);
    const step = await authorizationServer.begin(query, (id) =>
      waitForOthers(response, () => findClient(id)),
    );
    if ('redirectTo' in step) return response.redirect(302, step.redirectTo);
    if ('requestId' in step) return response.redirect(302, `${page}?request=${step.requestId}`);
    const { error, reason, cause } = step;
    if (reason !== undefined) {
      // Anybody names it: their developers look for it here.
      const clientId = query.get('client_id')?.slice(0, MAX_CLIENT_ID_LENGTH);
      logger.warn(
        { clientId, reason, cause, requestId: requestIdOf(response) },
        'an OAuth client is not known',
      );
    }
    response.redirect(302, `${page}?error=${error}${reason === undefined ? '' : `&reason=${reason}`}`);
  };

  const exchange = async (request: Request, response: Response): Promise<void> => {
    const { form, required } = readForm(request);
    const grantType = required('grant_type');
    if (!GRANT_TYPES.includes(grantType))
      throw new OAuthError('unsupported_grant_type', `grant_type has to be ${GRANT_TYPES.join(' or ')}.`);
    const [resource, scopeText] = [form.get('resource'), form.get('scope')];
    const audience = resource === null ? undefined : (resources.find(resource) ?? null);
    const clientId = required('client_id');
    const client = readClient(request);
    const requestId = requestIdOf(response);
    const isRenewal = grantType === 'refresh_token';
    const granted = await (isRenewal
      ? authorizationServer.renew(
          {
            refreshSecret: required('refresh_token'),
            clientId,
            audience,
            scope: scopeText === null ? undefined : (readScope(scopeText)?.scope ?? null),
          },
          client,
        )
      : authorizationServer.redeem(
          {
            code: required('code'),
            clientId,
            redirectUri: required('redirect_uri'),
            codeVerifier: required('code_verifier'),
            audience,
          },
          client,
        ));
    if ('reusedBy' in granted) {
      const [event, what] = isRenewal
        ? (['refresh_token_reused', 'refresh token'] as const)
        : (['code_reused', 'code'] as const);
      securityLog(event, { userId: granted.reusedBy, requestId });
      throw new OAuthError(
        'invalid_grant',
        `The ${what} was used before; the token that it gave is revoked.`,
      );
    }
    const { id: changedTokenId, userId, secret, refreshSecret, scope, expiresInSeconds } = granted;
    if (!isRenewal) securityLog('token_created', { userId, changedTokenId, requestId });
    response.json({
      access_token: secret,
      token_type: 'Bearer',
      expires_in: expiresInSeconds,
      scope,
      refresh_token: refreshSecret,
    });
  };

  const revoke = async (request: Request, response: Response): Promise<void> => {
    const { required } = readForm(request);
    const token = { secret: required('token'), clientId: required('client_id') };
    const revoked = await authorizationServer.revoke(token, readClient(request));
    if (revoked !== null) {
      const { id: changedTokenId, userId } = revoked;
      securityLog('token_revoked', { userId, changedTokenId, requestId: requestIdOf(response) });
    }
    response.status(200).end();
  };

  const router = Router();
  router.use((_request, response, next) => {
    response.set('cache-control', 'no-store');
    next();
  });
  router.get('/authorize', ...options.guards, authorize);
  // Their clients are no browsers, and expect errors in the form of RFC 6749.
  const endpoints = Router();
  endpoints.use(createBodyReader({ type: FORM, limit: FORM_LIMIT }), ...options.tokenGuards);
  endpoints.post('/token', exchange);
  endpoints.post('/revoke', revoke);
  endpoints.use(options.limitFailures, sendOAuthError);
  router.use(endpoints);
  return router;
};

/** The metadata of the authorization server (RFC 8414). */
export const toServerMetadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  scopes_supported: [...SCOPES, OFFLINE_ACCESS],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: GRANT_TYPES,
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${issuer}/docs`,
});
