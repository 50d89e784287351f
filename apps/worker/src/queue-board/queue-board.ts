import { createHash, timingSafeEqual } from 'node:crypto';
import type { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { QUEUE_NAMES, type QueueBackend } from '@mailsweep/event-bus';
import type { Logger } from '@mailsweep/service-kit';
import express, { type RequestHandler, type Router } from 'express';
import { RateLimiterMemory } from 'rate-limiter-flexible';

/** Wrong passwords of an address before it is refused, and for how long, in seconds. */
const MAX_FAILURES = 10;
const WINDOW_S = 60;

/** Requires the password by HTTP Basic authentication, with any user name. */
const createRequirePassword = (password: string): RequestHandler => {
  const expected = toHash(password);
  const failures = new RateLimiterMemory({ points: MAX_FAILURES, duration: WINDOW_S });
  return async (request, response, next) => {
    const address = request.socket.remoteAddress ?? '';
    const state = await failures.get(address);
    if (state !== null && state.consumedPoints >= MAX_FAILURES) {
      response.set('retry-after', String(Math.ceil(state.msBeforeNext / 1_000)));
      return void response.status(429).type('text').send('Too many wrong passwords: wait a minute.\n');
    }
    const given = readPassword(request.headers.authorization);
    // Hashes have one length, so that the comparison does not depend on where two passwords differ.
    if (given !== undefined && timingSafeEqual(toHash(given), expected)) return next();
    if (given !== undefined) await failures.penalty(address);
    response.set('www-authenticate', 'Basic realm="Mailsweep operators", charset="UTF-8"');
    response
      .status(401)
      .type('text')
      .send('Enter the password of OPERATIONS_PASSWORD, with any user name.\n');
  };
};

const toHash = (text: string): Buffer => createHash('sha256').update(text).digest();

const readPassword = (header: string | undefined): string | undefined => {
  const [, credentials] = /^basic ([\w+/=-]+)$/i.exec(header ?? '') ?? [];
  if (credentials === undefined) return undefined;
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(credentials, 'base64').toString()) ?? [];
  return password;
};

const PATH = '/queues';

/** Bull Board has no other scripts; its fonts at Google are not loaded. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; connect-src 'self'; img-src 'self' data:; script-src 'self'; style-src 'self' 'unsafe-inline'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, no-cache',
};

/** Fields of a job that are shown; the others hold subjects of emails. */
const SHOWN_FIELDS = ['type', 'userId', 'generatedAt', 'eventId'];

/**
 * Shows operators the queues at `/queues`, by Bull Board, behind the password. It only reads: whatever would change a
 * job is refused before it reaches Bull Board, so that another site cannot do anything with a browser that knows the
 * password (docs/decisions/064).
 */
export const createQueueBoard = (options: {
  queue: QueueBackend;
  password: string;
  logger: Logger;
}): Router => {
  // The queue may be unavailable when the process starts.
  let opening: Promise<RequestHandler> | undefined;
  const open = (): Promise<RequestHandler> => {
    opening ??= openBoard(options.queue);
    opening.catch(() => (opening = undefined));
    return opening;
  };

  const router = express.Router();
  router.use(
    PATH,
    createRequirePassword(options.password),
    refuseChanges,
    async (request, response, next) => {
      response.set(HEADERS);
      const board = await options.queue
        .ping()
        .then(open)
        .catch((error: unknown) => {
          options.logger.warn({ err: error }, 'the queues could not be shown');
          return undefined;
        });
      if (board === undefined)
        return void response.status(503).type('text').send('The queue is unavailable.\n');
      return board(request, response, next);
    },
  );
  return router;
};

const refuseChanges: RequestHandler = (request, response, next) => {
  if (['GET', 'HEAD'].includes(request.method)) return next();
  response.set('allow', 'GET, HEAD').status(405).type('text').send('This page only reads.\n');
};

/** Bull Board's types know queues on Redis alone; it also reads those on Postgres. */
type ShownQueue = ConstructorParameters<typeof BullMQAdapter>[0];

const openBoard = async (queue: QueueBackend): Promise<RequestHandler> => {
  // Loaded by those alone who use it.
  const [{ createBullBoard }, { BullMQAdapter: Adapter }, { ExpressAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
    import('@bull-board/express'),
  ]);
  const adapters = await Promise.all(
    QUEUE_NAMES.map(async (name) => {
      const adapter = new Adapter((await queue.openQueue(name)) as unknown as ShownQueue, {
        readOnlyMode: true,
      });
      adapter.setFormatter('data', toShown);
      adapter.setFormatter('returnValue', () => undefined);
      return adapter;
    }),
  );
  const serverAdapter = new ExpressAdapter().setBasePath(PATH);
  createBullBoard({
    queues: adapters,
    serverAdapter,
    options: { uiConfig: { boardTitle: 'Mailsweep', hideRedisDetails: true } },
  });
  return serverAdapter.getRouter() as RequestHandler;
};

const toShown = (data: unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(data ?? {}).filter(([field]) => SHOWN_FIELDS.includes(field)));
