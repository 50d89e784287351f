import {
  createAccessLog,
  createDocsRouter,
  createErrorHandler,
  type Logger,
  requestId,
  routeNotFound,
  VERSION,
} from '@mailsweep/service-kit';
import { startServerSpan } from '@mailsweep/service-kit/tracing';
import express, { type Express } from 'express';
import { openApiDocument } from './openapi.ts';
import { createSuggestRouter } from './suggest.routes.ts';
import { createTokenVerifier } from './verify-internal-token.ts';

export interface AppDependencies {
  logger: Logger;
  /** The secret shared with the backend, 32 bytes or more; its UTF-8 bytes are the key. */
  tokenSecret: string;
  now: () => Date;
}

/** Builds the classification service; it keeps no state and opens nothing. */
export const createApp = ({ logger, tokenSecret, now }: AppDependencies): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.use(requestId);
  app.use(createAccessLog(logger));
  app.get('/health', (_request, response) => {
    response.json({ status: 'ok', version: VERSION });
  });
  app.use((request, response, next) => {
    const span = startServerSpan(request);
    response.once('close', () => span.end({ route: request.route?.path, status: response.statusCode }));
    span.run(next);
  });
  app.use(createDocsRouter({ title: openApiDocument.info.title, createDocument: () => openApiDocument }));
  app.use(
    createSuggestRouter({ logger, now, verifyToken: createTokenVerifier({ secret: tokenSecret, now }) }),
  );
  app.use(routeNotFound);
  app.use(createErrorHandler({ logger }));
  return app;
};
