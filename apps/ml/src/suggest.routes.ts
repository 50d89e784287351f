import { ML_SUGGEST_PATH, type MlRequest, MlRequestSchema, type MlResponse } from '@mailsweep/contracts';
import { type Logger, ProblemError, requestIdOf, toFieldErrors } from '@mailsweep/service-kit';
import express, { type Request, type RequestHandler, type Router } from 'express';
import { z } from 'zod';
import { classifyEmail } from './classifier/classify-email.ts';
import type { TokenVerifier } from './verify-internal-token.ts';

/** Most emails one request may hold. */
const MAX_EMAILS = 1_000;
/** Largest body, in bytes: twice what the longest usual senders and subjects need. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;
/** Most field errors in one response. */
const MAX_FAULTS = 20;

// The count is checked before the emails are parsed.
const BodySchema = z.array(z.unknown()).max(MAX_EMAILS).pipe(MlRequestSchema);

const authenticate =
  (verifyToken: TokenVerifier): RequestHandler =>
  (request, _response, next) => {
    const [, token = ''] = /^Bearer (\S+)$/i.exec(request.get('authorization') ?? '') ?? [];
    try {
      verifyToken(token);
    } catch (cause) {
      throw new ProblemError(401, 'invalid_token', 'A valid internal token is needed.', {
        cause,
        headers: { 'www-authenticate': 'Bearer' },
      });
    }
    next();
  };

const requireJson: RequestHandler = (request, _response, next) => {
  if (!request.is('application/json')) {
    throw new ProblemError(415, 'unsupported_media_type', 'The body must be application/json.');
  }
  next();
};

const parseBody = (request: Request): MlRequest => {
  const reading = BodySchema.safeParse(request.body);
  if (reading.success) return reading.data;
  throw new ProblemError(400, 'invalid_request', 'The body is not a list of emails.', {
    fieldErrors: toFieldErrors(reading.error).slice(0, MAX_FAULTS),
  });
};

/** The route that classifies emails: one result for each, in the order of the request. */
export const createSuggestRouter = (dependencies: {
  logger: Logger;
  now: () => Date;
  verifyToken: TokenVerifier;
}): Router => {
  const { logger, now, verifyToken } = dependencies;
  const router = express.Router();
  router.post(
    ML_SUGGEST_PATH,
    authenticate(verifyToken),
    requireJson,
    express.json({ limit: MAX_BODY_BYTES }),
    (request, response) => {
      const emails = parseBody(request);
      const startedAt = now();
      const suggested: MlResponse = emails.map((email) => ({
        id: email.id,
        suggestions: classifyEmail(email, startedAt),
      }));
      logger.debug({ requestId: requestIdOf(response), emailCount: emails.length }, 'classified');
      response.json(suggested);
    },
  );
  return router;
};
