import type { TokenAudience } from '@mailsweep/contracts';
import { requestIdOf } from '@mailsweep/service-kit';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import type { ReadClient } from '../../http/client.ts';
import type { SecurityLog } from '../../security-log.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { OAuthError, sendOAuthError } from './oauth-error.ts';

const FORM = 'application/x-www-form-urlencoded';
const FORM_LIMIT = '16kb';

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
 * @param options.guards - run before everything else
 */
export const createOAuthRouter = (options: {
  authorizationServer: AuthorizationServer;
  resources: Record<string, TokenAudience>;
  frontendOrigin: string;
  readClient: ReadClient;
  securityLog: SecurityLog;
  guards: RequestHandler[];
}): Router => {
  const { authorizationServer, resources, readClient, securityLog } = options;
  const page = `${options.frontendOrigin}/authorize`;

  const authorize = async (request: Request, response: Response): Promise<void> => {
    const query = new URL(request.originalUrl, 'http://authorize').searchParams;
    const step = await authorizationServer.begin(query);
    if ('redirectTo' in step) return response.redirect(302, step.redirectTo);
    response.redirect(
      302,
      'requestId' in step ? `${page}?request=${step.requestId}` : `${page}?error=${step.error}`,
    );
  };

  const exchange = async (request: Request, response: Response): Promise<void> => {
    const { form, required } = readForm(request);
    if (required('grant_type') !== 'authorization_code')
      throw new OAuthError('unsupported_grant_type', 'grant_type has to be authorization_code.');
    const resource = form.get('resource');
    const code = {
      code: required('code'),
      clientId: required('client_id'),
      redirectUri: required('redirect_uri'),
      codeVerifier: required('code_verifier'),
      audience: resource === null ? undefined : (resources[resource] ?? null),
    };
    const requestId = requestIdOf(response);
    const granted = await authorizationServer.redeem(code, readClient(request));
    if ('reusedBy' in granted) {
      securityLog('code_reused', { userId: granted.reusedBy, requestId });
      throw new OAuthError('invalid_grant', 'The code was used before; the token that it gave is revoked.');
    }
    const { id: changedTokenId, userId, secret, scope, expiresInSeconds } = granted;
    securityLog('token_created', { userId, changedTokenId, requestId });
    response.json({ access_token: secret, token_type: 'Bearer', expires_in: expiresInSeconds, scope });
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
  endpoints.use(...options.guards, express.text({ type: FORM, limit: FORM_LIMIT }));
  endpoints.post('/token', exchange);
  endpoints.post('/revoke', revoke);
  endpoints.use(sendOAuthError);
  router.use(endpoints);
  return router;
};

/** The metadata of the authorization server (RFC 8414). */
export const toServerMetadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  scopes_supported: ['read', 'act', 'admin'],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${issuer}/docs`,
});
