import { type MlRequestItem, MlResponseSchema } from '@mailsweep/contracts';
import requestFixture from '@mailsweep/contracts/fixtures/ml-request.json' with { type: 'json' };
import { createLogger, VERSION } from '@mailsweep/service-kit';
import jwt from 'jsonwebtoken';
import request from 'supertest';
import { describe, expect, it, test } from 'vitest';
import { createApp } from './app.ts';

test('its metrics count requests by status', async () => {
  const app = createApp({
    logger: createLogger({ service: 'ml', level: 'silent' }),
    tokenSecret: 's'.repeat(32),
    now: () => now,
  });
  await request(app).post('/v1/suggest').expect(401);
  const { text } = await request(app).get('/metrics').expect(200);
  expect(text).toMatch(/^mailsweep_classification_request_seconds_count\{.*status="401".*\} 1$/m);
});

describe('POST /v1/suggest', () => {
  it('returns a result for each email in the order of the request', async () => {
    const { body } = await suggest(requestFixture)
      .expect(200)
      .expect('content-type', /^application\/json/);
    const response = MlResponseSchema.parse(body);
    expect(response.map((item) => item.id)).toEqual(requestFixture.map((item) => item.id));
    expect(response[0]?.suggestions.map((suggestion) => suggestion.classification)).toEqual([
      'promotions_old',
    ]);
  });

  it('returns two results for an id that was sent twice', async () => {
    const { body } = await suggest([requestFixture[0], requestFixture[0]]).expect(200);
    expect(body).toHaveLength(2);
    expect(body[0]).toEqual(body[1]);
  });

  it('classifies 1,000 emails', async () => {
    const { body } = await suggest(manyEmails(1_000)).expect(200);
    expect(body).toHaveLength(1_000);
  });

  it('refuses 1,001 emails', async () => {
    const { body } = await suggest(manyEmails(1_001)).expect(400);
    expect(body).toMatchObject({ code: 'invalid_request', errors: [{ path: '' }] });
  });

  it('refuses a body beyond 2 MB', async () => {
    const [email] = requestFixture;
    const { body } = await suggest([{ ...email, subject: 'x'.repeat(2 * 1024 * 1024) }]).expect(413);
    expect(body).toMatchObject({ code: 'body_too_large' });
  });

  it.each<[string, Record<string, unknown>]>([
    ['0.isRead', { isRead: 'false' }],
    ['0.category', { category: 'spam' }],
    ['0.date', { date: '3 Feb 2026' }],
    ['0.attachmentSizeMb', { attachmentSizeMb: -1 }],
    ['0.subject', { subject: null }],
    ['0.id', { id: 7 }],
  ])('names the faulty field %s in a problem document', async (path, fields) => {
    const { body } = await suggest([{ ...requestFixture[0], ...fields }])
      .expect(400)
      .expect('content-type', /^application\/problem\+json/);
    expect(body).toMatchObject({ status: 400, code: 'invalid_request', instance: '/v1/suggest' });
    expect(body.errors.map((fault: { path: string }) => fault.path)).toEqual([path]);
  });

  it('names at most twenty field errors', async () => {
    const { body } = await suggest(Array.from({ length: 1_000 }, () => ({}))).expect(400);
    expect(body.errors).toHaveLength(20);
  });

  it.each([
    ['malformed JSON', '[{"id":'],
    ['a bare text', '"hello"'],
    ['nothing', ''],
  ])('refuses %s', async (_what, text) => {
    const { body } = await post().set('content-type', 'application/json').send(text).expect(400);
    expect(body).toMatchObject({ status: 400 });
  });

  it('refuses a body that is not declared as JSON', async () => {
    const { body } = await post().set('content-type', 'text/plain').send('[]').expect(415);
    expect(body).toMatchObject({ code: 'unsupported_media_type' });
  });

  it('checks the token before the body', async () => {
    const { body } = await request(app)
      .post('/v1/suggest')
      .set('content-type', 'application/json')
      .send('[{');
    expect(body).toMatchObject({ status: 401, code: 'invalid_token' });
  });

  it('returns the request id of the caller', async () => {
    await suggest([]).set('x-request-id', 'request-0001').expect('x-request-id', 'request-0001');
  });

  it('logs how many emails it classified and no content', async () => {
    logged.length = 0;
    const email = { ...requestFixture[0], subject: 'canary-subject', from: 'canary@sender.example' };
    await suggest([email]).expect(200);
    await suggest([{ ...email, category: 'canary-category' }]).expect(400);
    expect(logged.join('')).toContain('"emailCount":1');
    expect(logged.join('')).not.toContain('canary');
  });
});

describe('the other routes', () => {
  it('GET /health reports that the process is alive, without a token', async () => {
    await request(app).get('/health').expect(200, { status: 'ok', version: VERSION });
  });

  it('GET /docs shows interactive documentation with files of its own alone', async () => {
    const { text } = await request(app)
      .get('/docs')
      .expect(200)
      .expect('content-type', /^text\/html/);
    const files = Array.from(text.matchAll(/(?:src|href)="([^"]+)"/g), ([, file]) => file);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) await request(app).get(`/${file}`).expect(200);
  });

  it('GET /openapi.json describes the route that there is', async () => {
    const { body } = await request(app).get('/openapi.json').expect(200);
    expect(body.openapi).toMatch(/^3\.1/);
    expect(Object.keys(body.paths)).toEqual(['/v1/suggest', '/health']);
    expect(body.components.schemas.MlRequestItem.required.toSorted()).toEqual([
      'attachmentSizeMb',
      'category',
      'date',
      'from',
      'id',
      'isRead',
      'subject',
    ]);
  });

  it('anything else is a problem document', async () => {
    const { body } = await request(app).get('/v2/suggest').expect(404);
    expect(body).toMatchObject({ status: 404, code: 'route_not_found' });
  });
});

const tokenSecret = 'a secret that two services share, at least 32 bytes';
const now = new Date('2026-06-02T12:00:00.000Z');
const logged: string[] = [];
const logger = createLogger({
  service: 'ml',
  level: 'debug',
  destination: { write: (line) => void logged.push(line) },
});
const app = createApp({ logger, tokenSecret, now: () => now });

const iat = Math.floor(now.getTime() / 1_000);
const token = jwt.sign({ iss: 'mailsweep-api', aud: 'ml', sub: 'user-1', iat, exp: iat + 60 }, tokenSecret);

const post = () => request(app).post('/v1/suggest').auth(token, { type: 'bearer' });
const suggest = (body: object) => post().send(body);

const manyEmails = (count: number): MlRequestItem[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `id-${index}`,
    from: `Shop ${index} <newsletter@shop${index}.example>`,
    subject: `Spring offers number ${index}, only until Sunday`,
    date: new Date(now.getTime() - index * 86_400_000).toISOString(),
    isRead: index % 2 === 0,
    category: 'promotions',
    attachmentSizeMb: 0,
  }));
