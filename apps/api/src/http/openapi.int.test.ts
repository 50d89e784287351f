import { API_ROUTES, NoContentSchema, type RouteContract, STREAM_ROUTES } from '@mailsweep/contracts';
import { Validator } from '@seriousme/openapi-schema-validator';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiHarness, startApi } from '../testing/api-harness.ts';

interface Operation {
  operationId: string;
  summary: string;
  security?: unknown[];
  parameters?: { name: string; in: string; required?: boolean; schema: object }[];
  requestBody?: { content: Record<string, unknown> };
  responses: Record<string, { content?: Record<string, unknown> }>;
}

describe('/openapi.json', () => {
  test('is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator();
    const result = await validator.validate(await readDocument());

    expect(result).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test.each(Object.entries<RouteContract>(API_ROUTES))('describes the route %s', async (name, route) => {
    const { paths } = await readDocument();
    const operation = paths[route.path]?.[route.method];

    expect(operation).toMatchObject({ operationId: name, summary: route.summary });
    if (route.response === NoContentSchema) expect(operation?.responses).toHaveProperty('204');
    else expect(operation?.responses['200']?.content).toHaveProperty('application/json');
    expect(operation?.requestBody !== undefined).toBe(route.body !== undefined);
    expect(operation?.parameters?.map((parameter) => parameter.name) ?? []).toEqual([
      ...Object.keys(route.params?.shape ?? {}),
      ...Object.keys(route.query?.shape ?? {}),
      ...(route.idempotent ? ['idempotency-key'] : []),
    ]);
    for (const status of ['409', '422']) {
      expect(status in (operation?.responses ?? {})).toBe(route.idempotent === true);
    }
    expect('401' in (operation?.responses ?? {})).toBe(route.authenticated);
    expect(operation?.security).toEqual(route.authenticated ? undefined : []);
  });

  test.each(Object.entries<RouteContract>(STREAM_ROUTES))('describes the stream %s', async (name, route) => {
    const { paths } = await readDocument();
    const operation = paths[route.path]?.[route.method];

    expect(operation).toMatchObject({ operationId: name, summary: route.summary });
    expect(operation?.responses['200']?.content).toHaveProperty(['text/event-stream']);
    expect(Object.keys(operation?.responses ?? {})).toEqual(
      expect.arrayContaining(['204', '400', '401', '404', '429', '503']),
    );
    expect(operation?.parameters?.map((parameter) => parameter.name).toSorted()).toEqual([
      ...Object.keys(route.params?.shape ?? {}),
      'last-event-id',
    ]);
  });

  test('describes no route beyond those and the ways in and out', async () => {
    const { paths } = await readDocument();
    const described = Object.keys(paths).filter((path) => !path.startsWith('/auth/'));

    expect(described.toSorted()).toEqual(
      [...new Set(Object.values({ ...API_ROUTES, ...STREAM_ROUTES }).map(({ path }) => path))].toSorted(),
    );
    expect(Object.keys(paths).filter((path) => path.startsWith('/auth/'))).toEqual([
      '/auth/idp',
      '/auth/idp/callback',
      '/auth/logout',
      '/auth/logout-everywhere',
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

  test('says that every query parameter may be left out', async () => {
    const { paths } = await readDocument();
    const required = Object.values(paths)
      .flatMap((operations) => Object.values(operations))
      .flatMap((operation) => operation.parameters ?? [])
      .filter((parameter) => parameter.in === 'query' && parameter.required);

    expect(required).toEqual([]);
  });

  test('speaks of errors as problem documents', async () => {
    const { paths } = await readDocument();

    expect(paths['/api/v1/inbox/actions']?.post?.responses['400']?.content).toHaveProperty(
      'application/problem+json',
    );
  });
});

describe('/docs', () => {
  test('is a page, open to everybody', async () => {
    const answer = await supertest(api.url).get('/docs').expect(200);

    expect(answer.headers['content-type']).toMatch(/^text\/html/);
    expect(answer.text).toContain('<title>Mailsweep API</title>');
  });

  test('an unknown address is answered with a problem, not with a page', async () => {
    for (const path of [
      '/',
      '/docs/nothing',
      '/api/v1/unknown',
      '/api/v2/emails',
      '/docs/../../etc/passwd',
    ]) {
      const answer = await supertest(api.url).get(path).expect(404);
      expect(answer.body).toMatchObject({ code: 'route_not_found', status: 404 });
    }
    await supertest(api.url).delete('/api/v1/emails').expect(404);
  });
});

const readDocument = async (): Promise<{ paths: Record<string, Record<string, Operation>> }> =>
  (
    await supertest(api.url)
      .get('/openapi.json')
      .expect(200)
      .expect('content-type', /^application\/json/)
  ).body;

let api: ApiHarness;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
