import {
  API_ROUTES,
  API_SECTIONS,
  NoContentSchema,
  PROBLEM_KINDS,
  type RouteContract,
} from '@mailsweep/contracts';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiHarness, startApi } from '../testing/api-harness.ts';

interface Schema {
  $ref?: string;
  description?: string;
  const?: unknown;
  type?: string;
  in?: string;
  schema?: Schema;
  enum?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
}

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security?: Record<string, string[]>[];
  parameters?: { name: string; in: string; required?: boolean; schema: object }[];
  requestBody?: { content: Record<string, unknown> };
  responses: Record<string, { $ref?: string; content?: Record<string, unknown> }>;
}

describe('/openapi.json', () => {
  test.each(Object.entries<RouteContract>(API_ROUTES))('describes the route %s', async (name, route) => {
    const { paths } = await readDocument();
    const operation = paths[route.path]?.[route.method];

    expect(operation).toMatchObject({ operationId: name, ...wordsOf(name, route) });
    if (route.response === NoContentSchema) expect(operation?.responses).toHaveProperty('204');
    else expect(operation?.responses['200']?.content).toHaveProperty('application/json');
    expect(operation?.requestBody !== undefined).toBe(route.body !== undefined);
    expect(operation?.parameters?.map((parameter) => parameter.name) ?? []).toEqual([
      ...Object.keys(route.params?.shape ?? {}),
      ...Object.keys(route.query?.shape ?? {}),
      ...(route.access === 'public' ? [] : ['mailsweep-mailbox']),
      ...(route.idempotent ? ['idempotency-key'] : []),
      ...(route.conditional ? ['if-none-match'] : []),
    ]);
    const statuses = Object.keys(operation?.responses ?? {});
    expect(statuses.includes('409')).toBe(route.idempotent === true || route.refuses !== undefined);
    expect(statuses.includes('422')).toBe(route.idempotent === true);
    expect('401' in (operation?.responses ?? {})).toBe(route.access !== 'public');
  });

  test('names for every operation the scope that a token needs, or that it takes a session or nothing', async () => {
    const { paths, components } = await readDocument();
    const operations = Object.values(paths).flatMap((path) => Object.values(path));
    const accessByOperation = Object.fromEntries(
      operations.map(({ operationId, security }) => [operationId, readAccess(security)]),
    );
    const expected = Object.entries<RouteContract>(API_ROUTES).map(([name, { access }]) => [
      name,
      access === 'recent_sign_in' ? 'session' : access,
    ]);

    expect(accessByOperation).toEqual({
      ...Object.fromEntries(expected),
      beginSignIn: 'public',
      completeSignIn: 'public',
      signOut: 'session',
      signOutEverywhere: 'session',
      getAuthorizationServerMetadata: 'public',
      authorizeProgram: 'public',
      signInWithToken: 'public',
      exchangeCode: 'public',
      revokeGrantedToken: 'public',
    });
    expect(Object.keys(components.securitySchemes)).toEqual(['sessionCookie', 'bearer', 'personalToken']);
  });

  test('describes no route beyond those and the ways in and out', async () => {
    const { paths } = await readDocument();
    const [others, described] = [true, false].map((isOther) =>
      Object.keys(paths).filter((path) => !path.startsWith('/api/v1/') === isOther),
    );

    expect(described?.toSorted()).toEqual(
      [...new Set(Object.values(API_ROUTES).map(({ path }) => path))].toSorted(),
    );
    expect(others).toEqual([
      '/auth/idp',
      '/auth/idp/callback',
      '/auth/token',
      '/auth/logout',
      '/auth/logout-everywhere',
      '/.well-known/oauth-authorization-server',
      '/oauth/authorize',
      '/oauth/token',
      '/oauth/revoke',
    ]);
  });

  test('shows numbers and booleans of a query as such, with their bounds and defaults', async () => {
    const { paths } = await readDocument();
    const schemas = Object.fromEntries(
      (paths['/api/v1/emails']?.get?.parameters ?? []).map(({ name, schema }) => [name, schema]),
    );

    expect(schemas.pageSize).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 25 });
    expect(schemas.olderThan).toMatchObject({ type: 'integer', minimum: 0, maximum: 36_500 });
    expect(schemas.unread).toMatchObject({ type: 'boolean' });
    expect(schemas.unread).not.toHaveProperty('enum');
  });

  test('says that every query parameter may be left out, but those that OAuth requires', async () => {
    const { paths } = await readDocument();
    const { '/oauth/authorize': _authorize, ...others } = paths;
    const required = Object.values(others)
      .flatMap((operations) => Object.values(operations))
      .flatMap((operation) => operation.parameters ?? [])
      .filter((parameter) => parameter.in === 'query' && parameter.required);

    expect(required).toEqual([]);
  });

  test('describes errors as problem documents', async () => {
    const { paths, components } = await readDocument();

    const { $ref } = paths['/api/v1/inbox/actions']?.post?.responses['400'] ?? {};

    expect($ref).toBe('#/components/responses/BadRequest');
    expect(components.responses.BadRequest?.content).toHaveProperty('application/problem+json');
  });

  test('has its tags in reading order, each with a description, and uses no other', async () => {
    const { tags, paths } = await readDocument();
    const used = Object.values(paths)
      .flatMap((operations) => Object.values(operations))
      .flatMap((operation) => operation.tags);

    expect(tags.map(({ name }) => name)).toEqual([
      'Sign-in',
      'Mailbox',
      'Suggestions',
      'Scans',
      'Senders',
      'Protections',
      'Learning',
      'Cleanups',
      'Rules',
      'History and events',
      'Push',
      'Account',
      'Tokens',
      'Authorizations',
      'Providers',
      'Health',
    ]);
    expect(new Set(used)).toEqual(new Set(tags.map(({ name }) => name)));
    expect(tags.every(({ description }) => description.length > 20)).toBe(true);
  });

  test('says what every field and parameter means', async () => {
    const document = await readDocument();
    const schemas = document.components.schemas;
    const missing = new Set<string>();
    const isDescribed = (schema: Schema): boolean => {
      if (schema.description !== undefined || schema.const !== undefined) return true;
      if (schema.$ref) return isDescribed(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
      const variants = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((all) => all ?? []);
      const meant = variants.filter(({ type }) => type !== 'null');
      return meant.length > 0 && meant.every(isDescribed);
    };
    const visit = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      const { properties, in: place, schema } = value as Schema;
      for (const [name, field] of Object.entries(properties ?? {}))
        if (!isDescribed(field)) missing.add(`${path}.${name}`);
      if (place && schema && !isDescribed(value as Schema) && !isDescribed(schema)) missing.add(path);
      for (const [key, child] of Object.entries(value))
        if (!key.startsWith('example')) visit(child, `${path}.${key}`);
    };
    visit(schemas, 'schemas');
    visit({ ...document.paths, ...document.webhooks }, 'paths');
    expect([...missing]).toEqual([]);
  });

  test('lists the codes of problems, webhooks, and where it is served', async () => {
    const { components, servers, webhooks } = await readDocument();
    const [known, others] = components.schemas.Problem?.properties?.code?.anyOf ?? [];
    expect(known?.enum).toEqual(Object.keys(PROBLEM_KINDS));
    expect(others).toHaveProperty('pattern');
    expect(servers).toMatchObject([{ url: 'http://localhost:3000' }]);
    expect(Object.keys(webhooks)).toEqual(['suggestionsGenerated', 'notification']);
  });

  test('shows examples of parameters, bodies and responses', async () => {
    const { paths } = await readDocument();
    const operation = paths['/api/v1/scans/{id}/cancel']?.post;
    const body = paths['/api/v1/notifications/confirm']?.post?.requestBody?.content['application/json'];

    expect(operation?.parameters?.[0]).toMatchObject({ name: 'id', example: expect.any(String) });
    expect(operation?.responses['200']?.content?.['application/json']).toHaveProperty('examples.cancelled');
    expect(body).toHaveProperty('examples.accept-for-two-emails');
  });
});

describe('/docs', () => {
  test('is a page, open to everybody', async () => {
    const reply = await supertest(api.url).get('/docs').expect(200);

    expect(reply.headers['content-type']).toMatch(/^text\/html/);
    expect(reply.text).toContain('<title>Mailsweep API</title>');
  });

  test('explains every problem where its type leads', async () => {
    const { body } = await supertest(api.url).get('/api/v1/me').expect(401);
    const { pathname, hash } = new URL(body.type);
    const page = await supertest(api.url).get(pathname).expect(200);

    expect(page.headers['content-type']).toMatch(/^text\/html/);
    expect(hash).toBe(`#${body.code}`);
    for (const code of Object.keys(PROBLEM_KINDS)) expect(page.text).toContain(`<tr id="${code}">`);
  });

  test('an unknown address gets a problem, not with a page', async () => {
    for (const path of [
      '/',
      '/docs/nothing',
      '/api/v1/unknown',
      '/api/v2/emails',
      '/docs/../../etc/passwd',
    ]) {
      const reply = await supertest(api.url).get(path).expect(404);
      expect(reply.body).toMatchObject({ code: 'route_not_found', status: 404 });
    }
    for (const path of ['/api/v1/emails', '/API/v1/emails/']) {
      const refused = await supertest(api.url).delete(path).expect(405);
      expect([refused.body.code, refused.headers.allow]).toEqual(['method_not_allowed', 'GET, HEAD']);
    }
  });
});

type ApiDocument = {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    responses: Record<string, Operation['responses'][string]>;
    securitySchemes: Record<string, object>;
    schemas: Record<string, Schema>;
  };
  servers: { url: string }[];
  webhooks: Record<string, object>;
};

/** What the reference says of a route. */
const wordsOf = (name: string, { summary, description }: RouteContract) => ({
  tags: [API_SECTIONS.find(({ routes }) => name in routes)?.tag],
  summary,
  description: description.join('\n\n'),
});

/** What the security of an operation says about who may call it. */
const readAccess = (security: Operation['security']) => {
  if (security?.length === 0) return 'public';
  const [cookie, bearer, personal, ...others] = security ?? [];
  expect([cookie, bearer, others]).toEqual([{ sessionCookie: [] }, { bearer: [] }, []]);
  return personal === undefined ? 'session' : personal.personalToken?.join();
};

const readDocument = async (): Promise<ApiDocument> => document;

let api: ApiHarness;
/** Read once: the number of requests for it is limited. */
let document: ApiDocument;
beforeAll(async () => {
  api = await startApi();
  const response = await supertest(api.url)
    .get('/openapi.json')
    .expect(200)
    .expect('content-type', /^application\/json/);
  document = response.body;
});
afterAll(() => api.close());
