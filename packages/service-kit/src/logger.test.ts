import { describe, expect, test } from 'vitest';
import { createLogger } from './logger.ts';

const SECRET_FIELDS = [
  ...['authorization', 'cookie', 'set-cookie', 'token', 'accessToken', 'refreshToken'],
  ...['access_token', 'refresh_token', 'id_token', 'subject', 'from', 'snippet'],
];

describe('a log line', () => {
  test('is JSON with the service’s name and a time in ISO 8601', () => {
    const { logger, lines } = createTestLogger();
    logger.info({ count: 1 }, 'hello');

    expect(lines()).toEqual([
      { level: 30, time: expect.stringMatching(/^\d{4}-.*Z$/), service: 'test', count: 1, msg: 'hello' },
    ]);
  });

  test('is left out below the level', () => {
    const { logger, lines } = createTestLogger('warn');
    logger.info('quiet');
    logger.warn('loud');

    expect(lines()).toMatchObject([{ msg: 'loud' }]);
  });

  test.each(SECRET_FIELDS)('never shows the field %s, at any depth that we log', (field) => {
    const { logger, lines } = createTestLogger();
    logger.info({ [field]: 'canary' }, 'at the top');
    logger.info({ a: { [field]: 'canary' } }, 'in an object');
    logger.info({ a: { b: { [field]: 'canary' } } }, 'in an object in an object');
    logger.info({ list: [{ [field]: 'canary' }] }, 'in a list');
    logger.info({ a: { list: [{ [field]: { whole: 'canary' } }] } }, 'in a list in an object');
    logger.child({ [field]: 'canary' }).info('in the bindings');

    expect(lines()).toHaveLength(6);
    expect(JSON.stringify(lines())).not.toContain('canary');
    expect(JSON.stringify(lines()).match(/\[redacted\]/g)).toHaveLength(6);
  });

  test('shows what is no secret', () => {
    const { logger, lines } = createTestLogger();
    logger.info({ tokens: 3, cookieCount: 1, request: { path: '/emails' } });

    expect(lines()).toMatchObject([{ tokens: 3, cookieCount: 1, request: { path: '/emails' } }]);
  });
});

describe('a logged error', () => {
  test('is shown with name, code, message, stack and causes, and nothing that libraries hang on it', () => {
    const { logger, lines } = createTestLogger();
    const cause = Object.assign(new TypeError('inner'), { request: { body: 'canary' } });
    const error = Object.assign(new RangeError('outer', { cause }), {
      code: 'E_OUTER',
      options: { headers: 'canary' },
    });
    logger.error({ err: error }, 'failed');

    expect(lines()).toMatchObject([
      {
        err: {
          type: 'RangeError',
          code: 'E_OUTER',
          message: 'outer',
          stack: expect.stringContaining('logger.test.ts'),
          cause: { type: 'TypeError', message: 'inner' },
        },
      },
    ]);
    expect(JSON.stringify(lines())).not.toContain('canary');
  });

  test('ends somewhere, even when it is its own cause', () => {
    const { logger, lines } = createTestLogger();
    const error = new Error('round');
    error.cause = error;
    logger.error({ err: error });

    expect(JSON.stringify(lines()).match(/round/g)?.length).toBeLessThan(12);
  });

  test.each([['text'], [null], [{ secret: 'canary' }], [undefined]])(
    'may be no error at all: %j',
    (thrown) => {
      const { logger, lines } = createTestLogger();
      logger.error({ err: thrown }, 'failed');

      expect(lines()).toHaveLength(1);
      expect(JSON.stringify(lines())).not.toContain('canary');
    },
  );
});

const createTestLogger = (level = 'info') => {
  const written: string[] = [];
  const destination = { write: (line: string) => void written.push(line) };
  return {
    logger: createLogger({ service: 'test', level, destination }),
    lines: () => written.map((line) => JSON.parse(line)),
  };
};
