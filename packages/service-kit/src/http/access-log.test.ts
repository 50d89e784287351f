import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import express from 'express';
import supertest from 'supertest';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../logger.ts';
import { createAccessLog } from './access-log.ts';
import { requestId } from './problem.ts';

describe('the access log', () => {
  test.each([
    [200, 30],
    [302, 30],
    [404, 40],
    [503, 50],
  ])(
    'has one line for a response %i, at level %i, with method, path, status and time',
    async (status, level) => {
      const { app, lines } = createTestApp();
      await supertest(app)
        .get(`/api/status/${status}?code=canary&state=canary`)
        .set('x-request-id', 'request-1');

      await expect.poll(lines).toEqual([
        {
          level,
          time: expect.any(String),
          service: 'test',
          req: { method: 'GET' },
          path: `/api/status/${status}`,
          requestId: 'request-1',
          res: { statusCode: status },
          responseTime: expect.any(Number),
          msg: 'request completed',
        },
      ]);
    },
  );

  test('keeps queries, cookies and authorization out', async () => {
    const { app, lines } = createTestApp();
    for (const status of [200, 500]) {
      await supertest(app)
        .post(`/api/status/${status}?code=canary`)
        .set({ cookie: 'session_token=canary', authorization: 'Bearer canary', referer: 'https://a/?canary' })
        .send({ subject: 'canary' });
    }

    await expect.poll(lines).toHaveLength(2);
    expect(JSON.stringify(lines())).not.toContain('canary');
  });

  test('says that a client did not wait for its response', async () => {
    const { app, lines } = createTestApp();
    const server = app.listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.write('GET /api/never HTTP/1.1\r\nhost: a\r\n\r\n');
    await once(server, 'request');
    client.destroy();

    await expect.poll(lines).toMatchObject([{ path: '/api/never', msg: 'request aborted' }]);
  });

  test('logs a response that is written to after its end, which does not end the process', async () => {
    const { app, lines } = createTestApp();
    await supertest(app).get('/api/twice').expect(200);

    await expect.poll(lines).toHaveLength(2);
    expect(lines()).toContainEqual(
      expect.objectContaining({
        level: 50,
        path: '/api/twice',
        err: expect.objectContaining({ code: 'ERR_STREAM_WRITE_AFTER_END' }),
      }),
    );
  });

  test('leaves the health checks out: they come every few seconds', async () => {
    const { app, lines } = createTestApp();
    await supertest(app).get('/api/health');
    await supertest(app).get('/api/status/200');

    await expect.poll(lines).toHaveLength(1);
  });
});

const createTestApp = () => {
  const written: string[] = [];
  const logger = createLogger({
    service: 'test',
    level: 'info',
    destination: { write: (line: string) => void written.push(line) },
  });
  const router = express.Router();
  router.all('/status/:status', (request, response) => {
    response.status(Number(request.params.status)).json({});
  });
  router.get('/never', () => undefined);
  router.get('/twice', (_request, response) => {
    response.end('once');
    response.write('twice');
  });
  router.get('/health', (_request, response) => {
    response.json({});
  });
  const app = express().use(requestId, createAccessLog(logger)).use('/api', router);
  return { app, lines: () => written.map((line) => JSON.parse(line)) };
};
