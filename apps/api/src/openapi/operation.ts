import { inspect } from 'node:util';
import {
  MAILBOX_HEADER,
  MailboxNumberSchema,
  NoContentSchema,
  type RouteContract,
} from '@mailsweep/contracts';
import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { HEAD_TOO_LARGE, RESPONSES, refused } from './responses.ts';

/** A session, in either form. */
export const SESSION_SECURITY = [{ sessionCookie: [] }, { bearer: [] }];

const IDEMPOTENCY_KEY = {
  'idempotency-key': z.string().min(1).max(255).optional().meta({
    description:
      'A value that the client makes for this one request, such as a UUID. Within 24 hours, the same request with the same key returns the stored response, marked with `Idempotency-Replayed`.',
  }),
};
const IF_NONE_MATCH = {
  'if-none-match': z.string().optional().meta({
    description: 'The `ETag` of the response that the client has.',
  }),
};
// Without an example: the API's documentation fills it in, and would ask for a mailbox that its reader may not have.
const MAILBOX = {
  [MAILBOX_HEADER.toLowerCase()]: MailboxNumberSchema.optional().meta({
    description:
      'The number of the mailbox that the request is for, of `GET /api/v1/me/mailboxes`; by default that of the sign-in or the token.',
  }),
};

/** A part of an operation when the route has it, and otherwise nothing. */
const when = <T extends object>(condition: unknown, part: T): T | Record<never, never> =>
  condition ? part : {};

const toExamples = (values: Record<string, unknown> = {}) =>
  Object.fromEntries(Object.entries(values).map(([summary, value]) => [toKey(summary), { summary, value }]));

/** Keys of examples have no spaces. */
const toKey = (summary: string): string => summary.toLowerCase().replaceAll(/[^a-z]+/g, '-');

const errorsOf = (route: RouteContract): ZodOpenApiOperationObject['responses'] => ({
  ...when(!route.isUnlimited, { 400: RESPONSES.BadRequest }),
  ...when(route.access !== 'public', { 401: RESPONSES.Unauthorized, 403: RESPONSES.Forbidden }),
  ...when(route.params || route.namesInQuery, { 404: RESPONSES.NotFound }),
  ...when(route.idempotent, {
    409: RESPONSES.IdempotencyRequestInFlight,
    422: RESPONSES.IdempotencyKeyReused,
  }),
  ...when(route.refuses, { 409: refused(route) }),
  ...when(route.method !== 'get', { 413: RESPONSES.ContentTooLarge }),
  ...when(route.access !== 'public' && route.method !== 'get', { 415: RESPONSES.UnsupportedMediaType }),
  ...(route.isUnlimited ? { 431: HEAD_TOO_LARGE } : { 429: RESPONSES.TooManyRequests }),
  ...when(route.access !== 'public', { 502: RESPONSES.BadGateway }),
  503: RESPONSES.ServiceUnavailable,
});

const ETAG = {
  etag: {
    description: 'Names this response: send it back as `If-None-Match`.',
    schema: { type: 'string' as const },
    example: '"rJ9c…"',
  },
};

const successesOf = (route: RouteContract): ZodOpenApiOperationObject['responses'] => {
  if (route.response === NoContentSchema) return { 204: { description: 'Done.' } };
  const examples = toExamples(route.examples?.responses);
  const [first, ...others] = Object.entries(examples);
  const respond = (description: string, shown: Record<string, object>) => ({
    description,
    ...when(route.conditional, { headers: ETAG }),
    content: { 'application/json': { schema: route.response, examples: shown } },
  });
  const isAsking = route.confirmation === 'asks';
  if (!(route.accepts || isAsking)) return { 200: respond('OK.', examples) };
  // The first example shows what was started, the others what was there before.
  return {
    200: respond(isAsking ? 'OK.' : 'It is in flight already.', Object.fromEntries(others)),
    202: respond(
      isAsking ? 'It waits until the user confirms it.' : 'Accepted: the work goes on in the background.',
      Object.fromEntries(first ? [first] : []),
    ),
  };
};

/** What may be sent to a route, any one of them; a personal access token with the scope or a wider one. */
const securityOf = ({ access }: RouteContract): Record<string, string[]>[] => {
  if (access === 'public') return [];
  if (access === 'session' || access === 'recent_sign_in') return SESSION_SECURITY;
  return [...SESSION_SECURITY, { personalToken: [access] }];
};

const describeDeprecation = ({ deprecated }: RouteContract): string[] =>
  deprecated
    ? [
        `**Deprecated since ${deprecated.since}, may be gone from ${deprecated.sunset} on.** Use ${deprecated.instead}.`,
      ]
    : [];

export const toOperation = (name: string, tag: string, route: RouteContract): ZodOpenApiOperationObject => ({
  operationId: name,
  summary: route.summary,
  description: [...describeDeprecation(route), ...route.description].join('\n\n'),
  ...when(route.deprecated, { deprecated: true }),
  tags: [tag],
  security: securityOf(route),
  // OpenAPI has no word for it.
  ...when(route.access === 'recent_sign_in', { 'x-recent-sign-in': true }),
  'x-codeSamples': samplesOf(name, route),
  requestParams: {
    ...when(route.params, { path: route.params }),
    ...when(route.query, { query: route.query }),
    ...when(route.access !== 'public', {
      header: z.object({
        ...MAILBOX,
        ...when(route.idempotent, IDEMPOTENCY_KEY),
        ...when(route.conditional, IF_NONE_MATCH),
      }),
    }),
  },
  ...(route.body
    ? {
        requestBody: {
          required: !route.body.safeParse({}).success,
          content: {
            'application/json': { schema: route.body, examples: toExamples(route.examples?.bodies) },
          },
        },
      }
    : {}),
  responses: {
    ...successesOf(route),
    ...when(route.conditional, {
      304: { description: 'Nothing has changed since that response.', headers: ETAG },
    }),
    ...errorsOf(route),
  },
});

/** A program that calls an operation, as `x-codeSamples` of documentation pages has it. */
interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

const JSON_HEADER = "-H 'content-type: application/json'";

const credentialsOf = ({ access }: RouteContract): string | undefined => {
  if (access === 'public') return undefined;
  const needsSession = access === 'session' || access === 'recent_sign_in';
  return needsSession ? '-b "session_token=$SESSION_TOKEN"' : '-H "authorization: Bearer $TOKEN"';
};

/** The first body that the documentation shows. */
const bodyOf = ({ examples }: RouteContract): unknown => Object.values(examples?.bodies ?? {})[0];

/** In single quotes of a shell. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const toCurl = (route: RouteContract): string => {
  const { method, examples } = route;
  const parameters: Record<string, unknown> = { ...examples?.params };
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(`${parameters[name]}`));
  const query = Object.entries(examples?.query ?? {}).map(([name, value]) => `${name}=${value}`);
  const body = bodyOf(route);
  const words = [
    'curl',
    method === 'get' || (method === 'post' && body) ? undefined : `-X ${method.toUpperCase()}`,
    credentialsOf(route),
    method === 'get' ? undefined : JSON_HEADER,
    `"$API${path}${query.length > 0 ? `?${query.join('&')}` : ''}"`,
  ];
  const call = words.filter((word) => word !== undefined).join(' ');
  return body === undefined ? call : `${call} \\\n  -d ${quote(JSON.stringify(body))}`;
};

const toTypeScript = (name: string, route: RouteContract): string => {
  const { params, query } = route.examples ?? {};
  const input = Object.entries({ params, query, body: bodyOf(route) }).filter(([, value]) => value);
  const text = inspect(Object.fromEntries(input), { depth: null, breakLength: 80, maxArrayLength: null });
  return `await client.${name}(${input.length > 0 ? text : ''});`;
};

/** An operation with curl, and with `@mailsweep/client`. */
const samplesOf = (name: string, route: RouteContract): CodeSample[] => [
  { lang: 'Shell', label: 'curl', source: toCurl(route) },
  { lang: 'TypeScript', label: '@mailsweep/client', source: toTypeScript(name, route) },
];
