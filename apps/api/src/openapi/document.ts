import {
  API_SECTIONS,
  NotificationWebhookBodySchema,
  SESSION_COOKIE,
  TOKEN_PREFIX,
  WebhookBodySchema,
} from '@mailsweep/contracts';
import type { z } from 'zod';
import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import { describeFields } from './describe-fields.ts';
import { SESSION_SECURITY, toOperation } from './operation.ts';
import { SERVICE_UNAVAILABLE, TOO_MANY_REQUESTS } from './responses.ts';
import { redirect, SIGN_IN_PATHS, SIGN_IN_TAG } from './sign-in.ts';

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
const AUTHORIZATION_PATHS: ZodOpenApiPathsObject = {
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
        queryParameter('response_type', text('What the redirect brings: `code`, nothing else.', 'code')),
        queryParameter('client_id', CLIENT_ID),
        queryParameter('redirect_uri', REDIRECT_URI),
        queryParameter(
          'state',
          text('Any text of the program; the redirect brings it back unchanged.', 'af0ifjsldkj'),
        ),
        queryParameter(
          'code_challenge',
          text('The SHA-256 of the verifier, in base64url.', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'),
        ),
        queryParameter(
          'code_challenge_method',
          text('How the challenge was made: `S256`, nothing else.', 'S256'),
        ),
        queryParameter(
          'scope',
          text(
            '`read`, the default, `act` or `admin`; with `offline_access` for a refresh token.',
            'act offline_access',
          ),
          false,
        ),
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
        'Returns the personal access token that the user allowed. A code works once, within a minute; one that comes again ends the token that it gave. A refresh token, for clients that ask for `offline_access` or whose document names the grant type `refresh_token`, gives new tokens once; one that comes again ends them all. Errors are those of RFC 6749.',
      tags: [SIGN_IN_TAG.name],
      security: [],
      requestBody: form(
        {
          grant_type: text(
            'What is exchanged: `authorization_code` or `refresh_token`.',
            'authorization_code',
          ),
          refresh_token: text('With `refresh_token`: from the response before.', 'msr_4fXk2…'),
          scope: text('With `refresh_token`: ignored, unless it is more than was allowed.', 'act'),
          code: text(
            'The code in the query of the redirect; works once, within a minute.',
            'SplxlOBeZQQYbYS6WxSbIA',
          ),
          client_id: CLIENT_ID,
          redirect_uri: REDIRECT_URI,
          code_verifier: text(
            'What `code_challenge` was made from.',
            'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
          ),
          resource: RESOURCE,
        },
        ['grant_type', 'client_id'],
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
                  refresh_token: { type: 'string' },
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
      requestBody: form(
        {
          token: text('The access or refresh token to end, with all that came with it.', 'msw_4fXk2…'),
          client_id: CLIENT_ID,
        },
        ['token', 'client_id'],
      ),
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

/** The text above the operations, in Markdown. */
const INTRODUCTION = `Mailsweep cleans mailboxes, at Gmail and at JMAP servers, with suggestions that the user confirms.

**Authentication.** [Sign in](auth/idp) with this browser, return to this page, and every operation below works with the cookie \`session_token\`. Programs send a personal access token as \`Authorization: Bearer <token>\`: make one in the settings of the web app, with the scope \`read\`, \`act\` or \`admin\` that operations name, and paste it under *Authorize* to try it here. The session token is taken there, too. Where the header is sent, the cookie does not count. Requests of browsers must come from the front end’s origin, or from this page.

**Requests.** Bodies are JSON (\`content-type: application/json\`) of at most 256 kB. Booleans in a query are \`true\` or \`false\`. Unknown parameters and fields are refused, so that a misspelt filter never widens a list.

**Errors** are problem documents (RFC 9457); [every code](docs/problems) has an entry. Branch on \`code\`, show \`detail\`, and report \`requestId\`. Operations on many emails return 200 with an outcome for each.

**Limits.** A user may send 600 requests per minute and have 10 in flight (both configurable); the personal access tokens of a user have the same limits for themselves. \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` show what is left; 429 and 503 carry \`Retry-After\`.

**Retries.** GET requests can be repeated. Give each POST that changes something an \`Idempotency-Key\`, and send the same key when you repeat it: it is carried out once.`;

export const API_TITLE = 'Mailsweep API';

const ROUTES = API_SECTIONS.flatMap(({ tag, routes }) =>
  Object.entries(routes).map(([name, route]) => ({ tag, name, route })),
);

const toPaths = (): ZodOpenApiPathsObject => {
  const paths: ZodOpenApiPathsObject = { ...SIGN_IN_PATHS, ...AUTHORIZATION_PATHS };
  for (const { tag, name, route } of ROUTES) {
    paths[route.path] = { ...paths[route.path], [route.method]: toOperation(name, tag, route) };
  }
  return paths;
};

type Document = ReturnType<typeof createDocument>;

/** Adds the examples of parameters, which the schemas that check them cannot carry. */
const addParameterExamples = (document: Document): Document => {
  for (const { route } of ROUTES) {
    const examples: Partial<Record<string, unknown>> = {
      ...route.examples?.params,
      ...route.examples?.query,
    };
    for (const parameter of document.paths?.[route.path]?.[route.method]?.parameters ?? []) {
      if ('name' in parameter && parameter.name in examples) parameter.example = examples[parameter.name];
    }
  }
  return document;
};

/** What the worker sends to the operator's address, with the headers of a Standard Webhook. */
const toWebhook = (operationId: string, summary: string, schema: z.ZodType) => ({
  post: {
    operationId,
    summary,
    description:
      'Sent to `WORKFLOW_WEBHOOK_URL` as a Standard Webhook, signed in `webhook-signature`. Retried with the same `webhook-id` for about 38 hours, until the response is 2xx or 410.',
    security: [],
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { 200: { description: 'Received.' }, 410: { description: 'Received, and never to be sent.' } },
  },
});

/**
 * The OpenAPI 3.1 document of the API, from the same schemas that check its requests.
 *
 * @param origin - where it is served
 */
export const createOpenApiDocument = (origin = '/'): Document =>
  describeFields(
    addParameterExamples(
      createDocument({
        openapi: '3.1.1',
        info: {
          title: API_TITLE,
          version: '1',
          description: INTRODUCTION,
          contact: { name: 'The operator of this installation' },
          license: { name: 'MIT', identifier: 'MIT' },
        },
        servers: [{ url: origin, description: 'This installation' }],
        tags: [SIGN_IN_TAG, ...API_SECTIONS.map(({ tag: name, description }) => ({ name, description }))],
        security: SESSION_SECURITY,
        components: {
          securitySchemes: {
            sessionCookie: {
              type: 'apiKey',
              in: 'cookie',
              name: SESSION_COOKIE,
              description: 'Set at the end of the sign-in; browsers send it by themselves.',
            },
            bearer: {
              type: 'http',
              scheme: 'bearer',
              bearerFormat: 'JWT',
              description: 'The session token, for clients other than browsers.',
            },
            personalToken: {
              type: 'http',
              scheme: 'bearer',
              bearerFormat: `${TOKEN_PREFIX}…`,
              description:
                'A personal access token, made in the settings or with `POST /api/v1/me/tokens`, or given to a program by `/oauth/token`. Operations name the scope that it needs, as a role: `read`, `act` or `admin`; each includes those before it. Operations that do not name this scheme take no token.',
            },
          },
        },
        paths: toPaths(),
        webhooks: {
          suggestionsGenerated: toWebhook(
            'receiveSuggestionsGenerated',
            'Suggestions were made',
            WebhookBodySchema,
          ),
          notification: toWebhook(
            'receiveNotification',
            'A user is told of something',
            NotificationWebhookBodySchema,
          ),
        },
      }),
    ),
  );
