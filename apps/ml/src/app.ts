import {
  createAccessLog,
  createDocsRouter,
  createErrorHandler,
  createMetricsRegistry,
  createOperationsRouter,
  type Logger,
  requestId,
  routeNotFound,
} from '@mailsweep/service-kit';
import { startServerSpan } from '@mailsweep/service-kit/tracing';
import express, { type Express } from 'express';
import { Histogram } from 'prom-client';
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
  // Only API, worker and operators reach this port.
  const registry = createMetricsRegistry('ml');
  const requests = new Histogram({
    name: 'mailsweep_classification_request_seconds',
    help: 'Time to answer a request for suggestions, by status.',
    labelNames: ['status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  app.use(createOperationsRouter({ registry, checks: {} }));
  app.use('/v1/suggest', (_request, response, next) => {
    const end = requests.startTimer();
    response.once('close', () => end({ status: response.statusCode }));
    next();
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
