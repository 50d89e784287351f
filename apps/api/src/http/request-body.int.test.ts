import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, startApi } from '../testing/api-harness.ts';

const good = JSON.stringify({ emailIds: ['a'], action: 'archive' });
const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** Sends bytes as they are. */
const send = (body: string | Buffer<ArrayBuffer>, headers: Record<string, string> = {}) =>
  fetch(`${api.url}/api/v1/inbox/actions`, {
    method: 'POST',
    headers: { cookie: ada.cookie, 'content-type': 'application/json', ...headers },
    body,
  });

describe('R13: a body that can’t be read', () => {
  test.each(['{', '{"emailIds":["a"],}', "{'emailIds':[]}", '\u0000', 'undefined', '\ufeff{', '{} {}'])(
    'gets 400 as malformed JSON: %j',
    async (body) => {
      const response = await send(body);

      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        code: 'malformed_json',
        instance: '/api/v1/inbox/actions',
      });
    },
  );

  test.each(['"text"', 'null', '5', '[]', 'true'])(
    'gets 400 when it is JSON but no object: %s',
    async (body) => {
      const response = await send(body);

      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: 'validation_failed' });
    },
  );

  test('gets 413 when it is larger than 256 kB', async () => {
    const response = await send(good + ' '.repeat(257 * 1024 - good.length));

    expect(response.status).toBe(413);
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(await response.json()).toMatchObject({ title: 'Content too large', code: 'body_too_large' });
  });

  test('gets 413 when it only grows that large once unpacked', async () => {
    const response = await send(gzipSync(good + ' '.repeat(50_000_000)), { 'content-encoding': 'gzip' });

    expect(response.status).toBe(413);
  });

  test('gets 415 in any other encoding than UTF-8', async () => {
    const responses = await Promise.all([
      send(Buffer.from(good, 'utf16le'), { 'content-type': 'application/json; charset=utf-16le' }),
      send(Buffer.from(good, 'utf16le'), { 'content-type': 'application/json; charset="UTF-16"' }),
      send(good, { 'content-type': 'application/json; charset=latin1' }),
      send(good, { 'content-encoding': 'x-rot13' }),
    ]);

    for (const response of responses) {
      expect(response.status).toBe(415);
      expect(await response.json()).toMatchObject({ code: 'unsupported_media_type' });
    }
  });

  test('gets 400 when it is UTF-16 and doesn’t say so, or no text at all', async () => {
    for (const bytes of [Buffer.from(good, 'utf16le'), Buffer.from([0xff, 0xfe, 0xfd]), gzipSync(good)]) {
      expect((await send(bytes)).status).toBe(400);
    }
  });

  test('gets 400 when it is not valid UTF-8, even in a field that takes any text', async () => {
    const bytes = Buffer.from(JSON.stringify({ action: 'label', label: '\u0001', emailIds: ['a'] }));
    bytes[bytes.indexOf('u0001') - 1] = 0xff;
    const response = await send(bytes);

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: 'malformed_json',
      detail: 'The body is not valid UTF-8.',
    });
  });

  test('gets 400 when a key occurs twice: which one was meant is unknown', async () => {
    const bodies = [
      '{"emailIds":["a"],"action":"archive","action":"delete"}',
      '{"emailIds":["a"],"emailIds":["b"],"action":"archive"}',
      '{"emailIds":["a"],"action":"archive","\\u0061ction":"delete"}',
    ];
    for (const body of bodies) {
      const response = await send(body);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        code: 'duplicate_key',
        errors: [{ path: expect.stringMatching(/./) }],
      });
    }
  });

  test('gets 400 when it is nested 45,000 deep', async () => {
    for (const body of [
      deep(45_000),
      `{"emailIds":${deep(45_000)},"action":"archive"}`,
      `{"x":${deep(45_000)}}`,
    ]) {
      const response = await send(body);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: 'json_too_complex' });
    }
  });
});

describe('R13: a body that can be read', () => {
  test('is served with and without a charset, and packed', async () => {
    const responses = await Promise.all([
      send(good),
      send(good, { 'content-type': 'application/json; charset=UTF-8' }),
      send(good, { 'content-type': 'application/json;charset="utf-8"' }),
      send(good, { 'content-type': 'application/json  ;   charset=utf-8' }),
      send(gzipSync(good), { 'content-encoding': 'gzip' }),
    ]);

    expect(responses.map((response) => response.status)).toEqual([200, 200, 200, 200, 200]);
  });
});

let api: ApiHarness;
let ada: ApiClient;
beforeAll(async () => {
  api = await startApi();
  ada = await api.signIn();
});
afterAll(() => api.close());
