import type { RouteContract } from '@mailsweep/contracts';
import { createErrorHandler, createLogger, requestId } from '@mailsweep/service-kit';
import express from 'express';
import supertest from 'supertest';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { toOperation } from '../openapi/operation.ts';
import { createBindRoute } from './bind-route.ts';

const DEPRECATED = { since: '2026-12-01', sunset: '2027-12-01', instead: '`GET /api/v1/new`' };
const CONTRACT = {
  method: 'get',
  path: '/api/v1/old',
  access: 'public',
  query: z.object({ size: z.string().regex(/^\d+$/).optional() }),
  response: z.object({ size: z.string() }),
  summary: 'Read what is old',
  description: ['Returns the size.'],
} satisfies RouteContract;

const startWith = (contract: RouteContract) => {
  const unused = () => {
    throw new Error('No public route needs this.');
  };
  const bind = createBindRoute({
    holdSlots: unused,
    authenticatedGuards: [],
    authenticate: unused,
    requireAccess: unused,
    parseBody: [],
    downloadGuards: [],
    readClient: unused,
    clearSessionCookie: unused,
    respondOnce: unused,
  });
  const router = express.Router();
  bind(router, contract, async () => ({ size: '1' }));
  return supertest(
    express()
      .use(requestId, router)
      .use(createErrorHandler({ logger: createLogger({ service: 'test', level: 'silent' }) })),
  );
};

describe('a deprecated route', () => {
  test.each([
    ['that succeed', '/api/v1/old?size=1', 200],
    ['that refuse a request', '/api/v1/old?size=large', 400],
  ])('announces its end in responses %s', async (_, path, status) => {
    const response = await startWith({ ...CONTRACT, deprecated: DEPRECATED })
      .get(path)
      .expect(status);

    expect(response.headers).toMatchObject({
      deprecation: '@1796083200',
      sunset: 'Wed, 01 Dec 2027 00:00:00 GMT',
    });
  });

  test('is deprecated in the OpenAPI document, which names what to use', () => {
    const { deprecated, description } = toOperation('readOld', 'Old', {
      ...CONTRACT,
      deprecated: DEPRECATED,
    });

    expect(deprecated).toBe(true);
    expect(description).toBe(
      '**Deprecated since 2026-12-01, may be gone from 2027-12-01 on.** Use `GET /api/v1/new`.\n\nReturns the size.',
    );
  });

  test.each([
    ['2026-12-01', '2027-01-31', /less than 180 days/],
    ['2026-12-01', 'next year', /not a date/],
    ['soon', '2027-12-01', /not a date/],
  ])('cannot end from %s to %s', (since, sunset, expected) => {
    expect(() => startWith({ ...CONTRACT, deprecated: { ...DEPRECATED, since, sunset } })).toThrow(expected);
  });
});

describe('any other route', () => {
  test('announces no end', async () => {
    const response = await startWith(CONTRACT).get('/api/v1/old').expect(200);

    expect(response.headers).not.toHaveProperty('deprecation');
    expect(response.headers).not.toHaveProperty('sunset');
    expect(toOperation('readOld', 'Old', CONTRACT)).not.toHaveProperty('deprecated');
  });
});
