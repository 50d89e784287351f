import {
  API_SECTIONS,
  NotificationWebhookBodySchema,
  SESSION_COOKIE,
  SignInWithTokenRequestSchema,
  TOKEN_PREFIX,
  WebhookBodySchema,
} from '@mailsweep/contracts';
import type { z } from 'zod';
import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import { describeFields } from './describe-fields.ts';
import { SESSION_SECURITY, toOperation } from './operation.ts';
import signInPaths from './sign-in.json' with { type: 'json' };

const SIGN_IN_TAG = {
  name: 'Sign-in',
  description:
    'Sign in with Google or another mail provider in a browser, and sign out; let programs act for a user.',
};

/**
 * The sign-in routes, and those by which a program gets a token from a user (docs/decisions/059); they carry no version.
 * The responses that they refer to are those of the other routes.
 */
const SIGN_IN_PATHS = {
  ...signInPaths,
  '/auth/token': {
    post: {
      ...signInPaths['/auth/token'].post,
      requestBody: {
        required: true,
        content: { 'application/json': { schema: SignInWithTokenRequestSchema } },
      },
    },
  },
} as ZodOpenApiPathsObject;

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
  const paths = { ...SIGN_IN_PATHS };
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
