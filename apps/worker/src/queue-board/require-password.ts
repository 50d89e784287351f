import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { RateLimiterMemory } from 'rate-limiter-flexible';

/** Wrong passwords of an address before it is refused, and for how long, in seconds. */
const MAX_FAILURES = 10;
const WINDOW_S = 60;

/** Requires the password by HTTP Basic authentication, with any user name. */
export const createRequirePassword = (password: string): RequestHandler => {
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
