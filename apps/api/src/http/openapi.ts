import {
  API_ROUTES,
  NoContentSchema,
  PROBLEM_MEDIA_TYPE,
  ProblemSchema,
  type RouteContract,
  SESSION_COOKIE,
  STREAM_ROUTES,
} from '@mailsweep/contracts';
import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';

export const API_TITLE = 'Mailsweep API';

const problem = (description: string) => ({
  description,
  content: { [PROBLEM_MEDIA_TYPE]: { schema: ProblemSchema } },
});

const TOO_MANY_REQUESTS = problem('Too many requests');
const FOREIGN_SITE = problem('The request comes from another site, or the mail provider does not allow it');
const NOT_JSON = problem('The body is not JSON in UTF-8');

const IdempotencyKeyHeaderSchema = z.object({
  'idempotency-key': z.string().min(1).max(255).optional().meta({
    description:
      'A value of the client’s for this one request, such as a UUID. Within 24 hours, the same request with the same key gets the first response again, marked with Idempotency-Replayed.',
  }),
});
const IDEMPOTENCY_CONFLICTS = {
  409: problem('The request with this key is still being carried out'),
  422: problem('The key was sent with another request before'),
};

const toOperation = (name: string, route: RouteContract): ZodOpenApiOperationObject => ({
  operationId: name,
  summary: route.summary,
  tags: [route.tag],
  ...(route.authenticated ? {} : { security: [] }),
  ...(route.params || route.query || route.idempotent
    ? {
        requestParams: {
          ...(route.params ? { path: route.params } : {}),
          ...(route.query ? { query: route.query } : {}),
          ...(route.idempotent ? { header: IdempotencyKeyHeaderSchema } : {}),
        },
      }
    : {}),
  ...(route.body
    ? {
        requestBody: {
          required: !route.body.safeParse({}).success,
          content: { 'application/json': { schema: route.body } },
        },
      }
    : {}),
  responses: {
    ...(route.response === NoContentSchema
      ? { 204: { description: 'Done' } }
      : { 200: { description: 'OK', content: { 'application/json': { schema: route.response } } } }),
    ...(route.accepts
      ? { 202: { description: 'Begun', content: { 'application/json': { schema: route.response } } } }
      : {}),
    ...(route.query || route.body || route.params
      ? { 400: problem('Something in the request is not valid') }
      : {}),
    ...(route.authenticated
      ? { 401: problem('No valid session, or a new sign-in is needed'), 403: FOREIGN_SITE }
      : {}),
    ...(route.params ? { 404: problem('There is no such record of yours') } : {}),
    ...(route.idempotent ? IDEMPOTENCY_CONFLICTS : {}),
    ...(route.body ? { 413: problem('The body is too large') } : {}),
    ...(route.authenticated && route.method !== 'get' ? { 415: NOT_JSON } : {}),
    ...(route === API_ROUTES.checkHealth ? {} : { 429: TOO_MANY_REQUESTS }),
    503: problem('The database or the mail provider is out of reach'),
  },
});

/** A route that answers with events has the operation of any other, but for what it answers. */
const toStreamOperation = (name: string, route: RouteContract): ZodOpenApiOperationObject => {
  const operation = toOperation(name, route);
  return {
    ...operation,
    requestParams: { ...operation.requestParams, header: LastEventIdHeaderSchema },
    responses: {
      ...operation.responses,
      200: {
        description: 'Events, until the last one',
        content: { 'text/event-stream': { schema: EVENTS } },
      },
      204: { description: 'There is nothing more to come' },
    },
  };
};

const LastEventIdHeaderSchema = z.object({
  'last-event-id': z.string().optional().meta({ description: 'The last event that the client has seen.' }),
});
const EVENTS = {
  type: 'string' as const,
  description:
    'Server-sent events. The `data` of each is a JSON document of the schema that the route without `/events` answers with.',
};

const redirect = (description: string) => ({
  description,
  headers: { location: { schema: { type: 'string' as const, format: 'uri' } } },
});

const SIGNED_OUT = {
  204: { description: 'Signed out' },
  401: problem('No valid session'),
  403: FOREIGN_SITE,
  415: NOT_JSON,
  429: TOO_MANY_REQUESTS,
  503: problem('The database is out of reach'),
};

/** The sign-in routes; they speak to browsers and carry no version. */
const AUTH_PATHS: ZodOpenApiPathsObject = {
  '/auth/idp': {
    get: {
      operationId: 'beginSignIn',
      summary: 'Send the browser to the identity provider',
      tags: ['Sign-in'],
      security: [],
      responses: {
        302: redirect('To the identity provider, or to the front end with ?error= when it is out of reach'),
        429: TOO_MANY_REQUESTS,
      },
    },
  },
  '/auth/idp/callback': {
    get: {
      operationId: 'completeSignIn',
      summary: 'Where the identity provider sends the browser back to',
      tags: ['Sign-in'],
      security: [],
      responses: {
        302: redirect('To the front end’s /auth/callback, with ?error= when the sign-in failed'),
        429: TOO_MANY_REQUESTS,
      },
    },
  },
  '/auth/logout': {
    post: {
      operationId: 'signOut',
      summary: 'End this session, wherever its token is used',
      tags: ['Sign-in'],
      responses: SIGNED_OUT,
    },
  },
  '/auth/logout-everywhere': {
    post: {
      operationId: 'signOutEverywhere',
      summary: 'End all sessions of the person',
      tags: ['Sign-in'],
      responses: SIGNED_OUT,
    },
  },
};

const toPaths = (): ZodOpenApiPathsObject => {
  const paths: ZodOpenApiPathsObject = { ...AUTH_PATHS };
  for (const [name, route] of Object.entries(API_ROUTES)) {
    paths[route.path] = { ...paths[route.path], [route.method]: toOperation(name, route) };
  }
  for (const [name, route] of Object.entries(STREAM_ROUTES)) {
    paths[route.path] = { [route.method]: toStreamOperation(name, route) };
  }
  return paths;
};

/** The OpenAPI 3.1 document of the API, from the same schemas that check its requests. */
export const createOpenApiDocument = () =>
  createDocument({
    openapi: '3.1.1',
    info: {
      title: API_TITLE,
      version: '1',
      description:
        'Lists the emails of a mailbox, suggests what to do with them, does what the person accepts, and tells what happened. Errors are problem documents (RFC 9457).',
    },
    tags: ['Sign-in', 'Mailbox', 'Suggestions', 'Scans', 'History and events', 'Account', 'Health'].map(
      (name) => ({
        name,
      }),
    ),
    security: [{ sessionCookie: [] }, { bearer: [] }],
    components: {
      securitySchemes: {
        sessionCookie: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE },
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
    },
    paths: toPaths(),
  });
