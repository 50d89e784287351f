import { ProblemSchema } from '@mailsweep/contracts';
import express, { type RequestHandler } from 'express';
import supertest from 'supertest';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createLogger } from '../logger.ts';
import { createErrorHandler, ProblemError, requestId, routeNotFound, toFieldErrors } from './problem.ts';

describe('an error of the client', () => {
  test('becomes a problem document, with its code, its headers and the request’s id', async () => {
    const { ask, logLines } = createTestApp((_request, response) => {
      response.locals.started = true;
      throw new ProblemError(429, 'too_many_requests', 'Wait a little.', { headers: { 'retry-after': '7' } });
    });
    const reply = await ask().expect(429);

    expect(reply.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(reply.headers['retry-after']).toBe('7');
    expect(reply.body).toEqual({
      type: 'about:blank',
      title: 'Too many requests',
      status: 429,
      detail: 'Wait a little.',
      instance: '/deep/path',
      code: 'too_many_requests',
      requestId: reply.headers['x-request-id'],
    });
    expect(ProblemSchema.parse(reply.body)).toEqual(reply.body);
    expect(logLines).toEqual([]);
  });

  test('names the invalid fields', async () => {
    const fieldErrors = [{ path: 'emailIds.3', message: 'is no id' }];
    const { ask } = createTestApp(() => {
      throw new ProblemError(400, 'validation_failed', 'The body is not valid.', { fieldErrors });
    });

    expect((await ask().expect(400)).body.errors).toEqual(fieldErrors);
  });

  test.each([
    [400, 'entity.parse.failed', 'malformed_json'],
    [413, 'entity.too.large', 'body_too_large'],
    [415, 'charset.unsupported', 'unsupported_media_type'],
    [400, 'request.aborted', 'bad_request'],
  ])('that Express’s own parsers find becomes a problem document: %i %s', async (status, type, code) => {
    const { ask } = createTestApp(() => {
      throw Object.assign(new Error('canary: what the client sent'), { status, type, body: 'canary' });
    });
    const reply = await ask().expect(status);

    expect(reply.body.code).toBe(code);
    expect(reply.text).not.toContain('canary');
  });
});

describe('an internal error', () => {
  test.each<[string, unknown]>([
    ['an error', new TypeError('canary of undefined')],
    ['a text', 'canary'],
    ['an error that pretends to be a response', Object.assign(new Error('canary'), { status: 503 })],
    ['an error with a status that is none', Object.assign(new Error('canary'), { status: 42 })],
  ])('gets a general sentence and logged: %s', async (_name, thrown) => {
    const { ask, logLines } = createTestApp(async () => {
      throw thrown;
    });
    const reply = await ask().expect(500);

    expect(reply.body).toMatchObject({
      title: 'Internal server error',
      status: 500,
      code: 'internal_error',
    });
    expect(reply.text).not.toMatch(/canary|\.ts/);
    expect(logLines).toHaveLength(1);
    expect(JSON.parse(logLines[0] ?? '')).toMatchObject({
      level: 50,
      path: '/deep/path',
      requestId: reply.body.requestId,
    });
  });

  test('that the application knows becomes what it says, and logged with its cause', async () => {
    const { ask, logLines } = createTestApp(
      () => {
        throw new RangeError('the mailbox is away');
      },
      (error) =>
        error instanceof RangeError ? new ProblemError(503, 'mailbox_unavailable', 'Later.') : undefined,
    );

    expect((await ask().expect(503)).body).toMatchObject({ code: 'mailbox_unavailable', detail: 'Later.' });
    expect(JSON.parse(logLines[0] ?? '').err).toMatchObject({ type: 'RangeError' });
  });

  test('after the response has started cuts it off', async () => {
    const { ask } = createTestApp((_request, response) => {
      response.write('half');
      throw new Error('too late');
    });

    await expect(ask()).rejects.toThrow(/aborted|hang up/);
  });
});

describe('an address that no route takes', () => {
  test('gets 400 when it can’t be decoded, and says so', async () => {
    const { app } = createTestApp(() => undefined);
    const reply = await supertest(app).get('/deep/%ed%bc%b7').expect(400);

    expect(reply.body).toMatchObject({ code: 'malformed_path', errors: [{ path: 'path' }] });
  });

  test('gets 404', async () => {
    const { app } = createTestApp(() => undefined);
    const reply = await supertest(app).put('/nowhere?token=canary').expect(404);

    expect(reply.body).toMatchObject({
      code: 'route_not_found',
      detail: 'There is no PUT /nowhere here.',
      instance: '/nowhere',
    });
    expect(reply.text).not.toContain('canary');
  });
});

describe('the id of a request', () => {
  test.each(['12345678', 'a-b_C-1234', 'x'.repeat(64)])(
    'is taken over when it looks like one: %s',
    async (id) => {
      const { ask } = createTestApp((_request, response) => void response.json({}));
      expect((await ask().set('x-request-id', id)).headers['x-request-id']).toBe(id);
    },
  );

  test.each(['short', 'x'.repeat(65), 'with space', 'a"b\\c{}<>', '12345678;'])(
    'is made up when what was sent does not: %s',
    async (id) => {
      const { ask } = createTestApp((_request, response) => void response.json({}));
      expect((await ask().set('x-request-id', id)).headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
    },
  );
});

describe('the errors of a failed parse', () => {
  test('name each field by its path, unknown ones included, and repeat no value', () => {
    const Schema = z.strictObject({ ids: z.array(z.string()), inner: z.strictObject({ flag: z.boolean() }) });
    const { error } = Schema.safeParse({
      ids: ['a', 42],
      inner: { flag: 'canary', extra: 1 },
      other: 'canary',
    });
    const fieldErrors = toFieldErrors(error as z.ZodError);

    expect(fieldErrors.map(({ path }) => path)).toEqual(['ids.1', 'inner.flag', 'inner.extra', 'other']);
    expect(JSON.stringify(fieldErrors)).not.toContain('canary');
  });

  test('say in words what is wrong, going on from the name of the field', () => {
    const Schema = z.object({
      ids: z.array(z.string()),
      list: z.array(z.string()).min(2),
      name: z.string().min(3, { error: 'must not be short' }),
      title: z.string().max(3),
      age: z.number().int().min(1),
      days: z.int(),
      kind: z.enum(['a', 'b']),
      id: z.uuid(),
      code: z.string().regex(/^x$/),
      either: z.union([z.string(), z.number()]),
    });
    const { error } = Schema.safeParse({
      list: ['a'],
      name: '',
      title: 'long',
      age: 0,
      days: 1.5,
      kind: 'c',
      id: 'x',
      code: 'y',
      either: null,
    });
    expect(toFieldErrors(error as z.ZodError).map(({ path, message }) => `${path} ${message}`)).toEqual([
      'ids is missing',
      'list must have at least 2 entries',
      'name must not be short',
      'title must have at most 3 characters',
      'age must be at least 1',
      'days must be a whole number',
      'kind must be one of a, b',
      'id must be a valid uuid',
      'code does not have the right form',
      'either has none of the known forms',
    ]);
  });
});

const createTestApp = (handler: RequestHandler, translate?: (error: unknown) => ProblemError | undefined) => {
  const logLines: string[] = [];
  const logger = createLogger({
    service: 'test',
    level: 'info',
    destination: { write: (line: string) => void logLines.push(line) },
  });
  const router = express.Router().get('/path', handler).get('/:id', handler);
  const app = express()
    .use(requestId)
    .use('/deep', router)
    .use(routeNotFound)
    .use(createErrorHandler({ logger, ...(translate ? { translate } : {}) }));
  return { app, logLines, ask: () => supertest(app).get('/deep/path?query=canary') };
};
