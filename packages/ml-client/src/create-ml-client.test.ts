import { gzipSync } from 'node:zlib';
import { MlResponseSchema } from '@mailsweep/contracts';
import requestFixture from '@mailsweep/contracts/fixtures/ml-request.json' with { type: 'json' };
import responseFixture from '@mailsweep/contracts/fixtures/ml-response.json' with { type: 'json' };
import malformedFixture from '@mailsweep/contracts/fixtures/ml-response-malformed.json' with { type: 'json' };
import mapFixture from '@mailsweep/contracts/fixtures/ml-response-map.json' with { type: 'json' };
import byIdFixture from '@mailsweep/contracts/fixtures/ml-response-suggestions-by-id.json' with {
  type: 'json',
};
import jwt from 'jsonwebtoken';
import { describe, expect, it } from 'vitest';
import { createMlClient } from './create-ml-client.ts';
import {
  flood,
  reset,
  resetMidResponse,
  respondWithJson,
  respondWithStatus,
  respondWithText,
} from './testing/classification-stand-in.ts';
import { context, items, setUpClient, tokenSecret } from './testing/set-up-client.ts';

describe('a call that succeeds', () => {
  it.each([
    ['a list of items', responseFixture],
    ['a map by id', mapFixture],
    ['a map under suggestionsById', byIdFixture],
  ])('understands %s', async (_shape, reply) => {
    const { client } = await setUpClient([respondWithJson(reply)]);
    await expect(client.suggest(items, context)).resolves.toEqual(expectedSuggestions);
  });

  it('posts a JSON list to /v1/suggest with the request id', async () => {
    const { client, service } = await setUpClient([respondWithJson(responseFixture)]);
    await client.suggest(items, context);
    expect(service.calls).toMatchObject([{ path: '/v1/suggest', items: requestFixture }]);
    expect(service.calls[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-request-id': 'request-1',
    });
  });

  it('keeps the path of the base address', async () => {
    const { service } = await setUpClient([respondWithJson(responseFixture)]);
    const client = createMlClient({ baseUrl: `${service.url}/models/mail/`, tokenSecret });
    await client.suggest(items, context);
    expect(service.calls[0]?.path).toBe('/models/mail/v1/suggest');
  });

  it('puts the seven metadata fields on the wire and nothing else that the emails hold', async () => {
    const { client, service } = await setUpClient([respondWithJson([])]);
    const fat = items.map((item) => ({
      ...item,
      snippet: 'secret',
      labels: ['INBOX'],
      size: 7,
      body: 'secret',
    }));
    await client.suggest(fat, context);
    expect(service.calls[0]?.items).toEqual(items);
  });

  it('asks nobody about no emails', async () => {
    const { client, service } = await setUpClient([respondWithJson([])]);
    await expect(client.suggest([], context)).resolves.toEqual(new Map());
    expect(service.calls).toEqual([]);
  });

  it('reads a response whatever its content type and with a byte order mark', async () => {
    const { client } = await setUpClient([respondWithText(`\ufeff${JSON.stringify(responseFixture)}`)]);
    await expect(client.suggest(items, context)).resolves.toEqual(expectedSuggestions);
  });
});

describe('the internal token', () => {
  const now = Date.parse('2026-06-02T06:00:00.500Z');

  const tokenOfCall = async () => {
    const { client, service } = await setUpClient([respondWithJson([])], { now: () => now });
    await client.suggest(items, context);
    return service.calls[0]?.headers.authorization?.replace('Bearer ', '') ?? '';
  };

  it('verifies with the shared secret, the pinned algorithm, the issuer and the audience', async () => {
    const token = await tokenOfCall();
    const verified = jwt.verify(token, tokenSecret, {
      algorithms: ['HS256'],
      issuer: 'mailsweep-api',
      audience: 'ml',
      clockTimestamp: now / 1_000,
    });
    expect(verified.sub).toBe('user-1');
  });

  it('lives for 60 seconds', async () => {
    const { iat, exp } = jwt.decode(await tokenOfCall(), { json: true }) ?? {};
    expect(iat).toBe(Math.floor(now / 1_000));
    expect(exp).toBe((iat ?? 0) + 60);
  });

  it('names the user by id and holds no email address', async () => {
    const payload = jwt.decode(await tokenOfCall(), { json: true });
    expect(Object.keys(payload ?? {}).sort()).toEqual(['aud', 'exp', 'iat', 'iss', 'sub']);
    expect(JSON.stringify(payload)).not.toContain('@');
  });
});

describe('a call that fails for good', () => {
  it.each([500, 501, 505, 400, 401, 403, 404, 413, 422, 429])('gives up at once on %i', async (status) => {
    const { client, service } = await setUpClient([respondWithStatus(status)]);
    await expect(client.suggest(items, context)).rejects.toMatchObject({ code: 'ml_status', status });
    expect(service.calls).toHaveLength(1);
  });

  it.each([301, 302, 303, 307, 308])('does not follow a redirect (%i)', async (status) => {
    const target = await setUpClient([respondWithJson(responseFixture)]);
    const { client } = await setUpClient([
      respondWithStatus(status, { location: `${target.service.url}/v1/suggest` }),
    ]);
    await expect(client.suggest(items, context)).rejects.toMatchObject({ code: 'ml_status', status });
    expect(target.service.calls).toEqual([]);
  });

  it.each(['<html>Bad gateway</html>', '', '[{"id":', '[{"confidence_score": NaN}]', '\u0000'])(
    'refuses a response that is not JSON: %j',
    async (body) => {
      const { client, service } = await setUpClient([respondWithText(body)]);
      await expect(client.suggest(items, context)).rejects.toMatchObject({ code: 'ml_bad_response' });
      expect(service.calls).toHaveLength(1);
    },
  );

  it.each(malformedFixture.map(({ name, body }) => ({ name, body })))(
    'refuses a response of a wrong shape: $name',
    async ({ body }) => {
      const { client } = await setUpClient([respondWithJson(body)]);
      await expect(client.suggest(items, context)).rejects.toMatchObject({ code: 'ml_bad_response' });
    },
  );

  it('cuts off a response of 20 MB long before it is all sent', async () => {
    const { behaviour, progress } = flood(20 * MB);
    const { client } = await setUpClient([behaviour], { maxResponseBytes: MB / 4 });
    await expect(client.suggest(items, context)).rejects.toMatchObject({ code: 'ml_too_large' });
    expect(progress.sentBytes).toBeLessThan(10 * MB);
  });

  it('reads no more than so many emails could fill when no other limit is given', async () => {
    const { behaviour, progress } = flood(20 * MB);
    const { client } = await setUpClient([behaviour]);
    await expect(client.suggest(items, context)).rejects.toMatchObject({ code: 'ml_too_large' });
    expect(progress.sentBytes).toBeLessThan(5 * MB);
  });

  it('reads the longest response that a thousand emails can have', async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => ({ ...items[0], id: `email-${index}` }));
    const suggestions = Array.from({ length: 10 }, () => ({
      action: 'archive',
      classification: 'c'.repeat(100),
      confidence_score: 0.5,
      id: 'i'.repeat(200),
    }));
    const { client } = await setUpClient([respondWithJson(many.map(({ id }) => ({ id, suggestions })))]);
    const suggested = await client.suggest(many as typeof items, context);
    expect(suggested.get('email-999')).toHaveLength(10);
  });

  it('reads nothing of a response that says it is larger', async () => {
    const { client } = await setUpClient([
      (response) => response.writeHead(200, { 'content-length': 6 * MB }).flushHeaders(),
    ]);
    await expect(client.suggest(items, context)).rejects.toMatchObject({ code: 'ml_too_large' });
  });

  it('counts the size of a compressed response as it is once unpacked', async () => {
    const packed = gzipSync(Buffer.alloc(20 * MB, ' '));
    const { client } = await setUpClient([
      (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed),
    ]);
    await expect(client.suggest(items, context)).rejects.toMatchObject({ code: 'ml_too_large' });
  });
});

describe('a call that meets a transient error', () => {
  it.each([502, 503, 504])('tries again after %i', async (status) => {
    const { client, service } = await setUpClient([
      respondWithStatus(status),
      respondWithJson(responseFixture),
    ]);
    await expect(client.suggest(items, context)).resolves.toEqual(expectedSuggestions);
    expect(service.calls).toHaveLength(2);
  });

  it.each([
    ['a reset connection', reset],
    ['a connection reset in the middle of the response', resetMidResponse],
  ])('tries again after %s', async (_fault, behaviour) => {
    const { client, service } = await setUpClient([behaviour, respondWithJson(responseFixture)]);
    await expect(client.suggest(items, context)).resolves.toEqual(expectedSuggestions);
    expect(service.calls).toHaveLength(2);
  });

  it('makes three attempts, not more', async () => {
    const { client, service } = await setUpClient([respondWithStatus(503)]);
    await expect(client.suggest(items, context)).rejects.toMatchObject({ code: 'ml_status', status: 503 });
    expect(service.calls).toHaveLength(3);
  });

  it('does not hide a final error behind the transient one before it', async () => {
    const { client, service } = await setUpClient([respondWithStatus(503), respondWithStatus(401)]);
    await expect(client.suggest(items, context)).rejects.toMatchObject({ code: 'ml_status', status: 401 });
    expect(service.calls).toHaveLength(2);
  });

  it('reports a service that refuses connections', async () => {
    const { client, service } = await setUpClient([respondWithJson([])]);
    await service.close();
    await expect(client.suggest(items, context)).rejects.toMatchObject({
      code: 'ml_network',
      cause: { code: 'ECONNREFUSED' },
    });
  });
});

const MB = 1024 * 1024;
const expectedSuggestions = new Map(
  MlResponseSchema.parse(responseFixture).map(({ id, suggestions }) => [id, suggestions]),
);
