import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { redirect, SIGN_IN_TAG } from './redirect.ts';
import { SERVICE_UNAVAILABLE, TOO_MANY_REQUESTS } from './responses.ts';

const text = (description: string, example: string) => ({
  type: 'string' as const,
  description,
  example,
});

const CLIENT_ID = text(
  'Who asks: the https address of the client id metadata document, or `mailsweep-cli`.',
  'https://assistant.example.com/client.json',
);
const REDIRECT_URI = text('Where the browser goes back to.', 'http://127.0.0.1:49152/callback');
const RESOURCE = text(
  'What the token is for: `{base_url}/api/v1`, the default, or `{base_url}/mcp`.',
  'https://api.example.com/mcp',
);

const queryParameter = (name: string, schema: ReturnType<typeof text>, required = true) => ({
  name,
  in: 'query' as const,
  required,
  description: schema.description,
  schema: { type: schema.type },
  example: schema.example,
});

const form = (properties: Record<string, ReturnType<typeof text>>, required: string[]) => ({
  required: true,
  content: {
    'application/x-www-form-urlencoded': { schema: { type: 'object' as const, properties, required } },
  },
});

const errorResponse = (description: string, example: { error: string; error_description: string }) => ({
  description,
  content: {
    'application/json': {
      schema: {
        type: 'object' as const,
        properties: { error: { type: 'string' as const }, error_description: { type: 'string' as const } },
        required: ['error'],
      },
      example,
    },
  },
});

const INVALID_CLIENT = errorResponse(
  'The request has client credentials. Only public clients are supported.',
  {
    error: 'invalid_client',
    error_description: 'Only public clients are supported: send client_id and no secret.',
  },
);

/** The endpoints by which a program gets a token from a user (docs/decisions/059); they carry no version. */
export const AUTHORIZATION_PATHS: ZodOpenApiPathsObject = {
  '/.well-known/oauth-authorization-server': {
    get: {
      operationId: 'getAuthorizationServerMetadata',
      summary: 'Describe the authorization server',
      description: 'Metadata by RFC 8414, from which programs learn the addresses of the endpoints.',
      tags: [SIGN_IN_TAG.name],
      security: [],
      responses: {
        200: {
          description: 'The metadata.',
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  issuer: { type: 'string' },
                  authorization_endpoint: { type: 'string' },
                  token_endpoint: { type: 'string' },
                  revocation_endpoint: { type: 'string' },
                },
                required: ['issuer', 'authorization_endpoint', 'token_endpoint'],
              },
            },
          },
        },
        429: TOO_MANY_REQUESTS,
      },
    },
  },
  '/oauth/authorize': {
    get: {
      operationId: 'authorizeProgram',
      summary: 'Ask a user for a token',
      description: [
        'A program opens this address in a browser (OAuth 2.1, authorization code with PKCE). The front end asks the user, who signs in first if need be, and the browser goes back to `redirect_uri` with `code`, `state` and `iss`, or with `error`.',
        'Where client or redirect URI are not known, and for errors of a program that is not on the same computer, the front end shows what is wrong instead.',
      ].join('\n\n'),
      tags: [SIGN_IN_TAG.name],
      security: [],
      parameters: [
        queryParameter('response_type', text('`code`.', 'code')),
        queryParameter('client_id', CLIENT_ID),
        queryParameter('redirect_uri', REDIRECT_URI),
        queryParameter('state', text('Comes back unchanged.', 'af0ifjsldkj')),
        queryParameter(
          'code_challenge',
          text('The SHA-256 of the verifier, in base64url.', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'),
        ),
        queryParameter('code_challenge_method', text('`S256`.', 'S256')),
        queryParameter('scope', text('`read`, the default, `act` or `admin`.', 'act'), false),
        queryParameter('resource', RESOURCE, false),
      ],
      responses: {
        302: redirect(
          'To the front end’s `/authorize`, or to the program with `?error=`.',
          'https://app.example.com/authorize?request=0197a3c4-9999-7e8f-9a0b-1c2d3e4f5a6b',
        ),
        429: TOO_MANY_REQUESTS,
        503: SERVICE_UNAVAILABLE,
      },
    },
  },
  '/oauth/token': {
    post: {
      operationId: 'exchangeCode',
      summary: 'Exchange a code for a token',
      description:
        'Returns the personal access token that the user allowed. A code works once, within a minute; one that comes again ends the token that it gave. There are no refresh tokens: when the token has ended, ask the user again. Errors are those of RFC 6749.',
      tags: [SIGN_IN_TAG.name],
      security: [],
      requestBody: form(
        {
          grant_type: text('`authorization_code`.', 'authorization_code'),
          code: text('From the redirect.', 'SplxlOBeZQQYbYS6WxSbIA'),
          client_id: CLIENT_ID,
          redirect_uri: REDIRECT_URI,
          code_verifier: text(
            'What `code_challenge` was made from.',
            'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
          ),
          resource: RESOURCE,
        },
        ['grant_type', 'code', 'client_id', 'redirect_uri', 'code_verifier'],
      ),
      responses: {
        200: {
          description: 'The token.',
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  access_token: { type: 'string' },
                  token_type: { type: 'string', enum: ['Bearer'] },
                  expires_in: { type: 'integer', description: 'Seconds until it ends.' },
                  scope: { type: 'string', enum: ['read', 'act', 'admin'] },
                },
                required: ['access_token', 'token_type', 'expires_in', 'scope'],
              },
              example: {
                access_token: 'msw_4fXk2…',
                token_type: 'Bearer',
                expires_in: 2_592_000,
                scope: 'act',
              },
            },
          },
        },
        400: errorResponse('The request or the code is not valid.', {
          error: 'invalid_grant',
          error_description: 'The code has expired.',
        }),
        401: INVALID_CLIENT,
        429: TOO_MANY_REQUESTS,
      },
    },
  },
  '/oauth/revoke': {
    post: {
      operationId: 'revokeGrantedToken',
      summary: 'End a token that a program was given',
      description: 'Ends the token at once (RFC 7009). 200 also where there is no such token any more.',
      tags: [SIGN_IN_TAG.name],
      security: [],
      requestBody: form({ token: text('The token.', 'msw_4fXk2…'), client_id: CLIENT_ID }, [
        'token',
        'client_id',
      ]),
      responses: {
        200: { description: 'The token is no longer valid.' },
        400: errorResponse('The request is not valid, or the token is another client’s.', {
          error: 'unauthorized_client',
          error_description: 'The token was not given to this client.',
        }),
        401: INVALID_CLIENT,
        429: TOO_MANY_REQUESTS,
      },
    },
  },
};
