import type { RequestHandler } from 'express';
import type { Logger } from '../logger.ts';
import { keepTrace } from '../tracing/spans.ts';
import { requestIdOf } from './problem.ts';

const levelOf = (status: number): 'error' | 'warn' | 'info' => {
  if (status >= 500) return 'error';
  return status >= 400 ? 'warn' : 'info';
};

/**
 * Logs one line for each request, once its response is sent or its client has disconnected: method, path, status, time in
 * milliseconds and request id. Queries and headers stay out of it: they carry authorization codes and tokens.
 */
export const createAccessLog = (logger: Logger): RequestHandler => {
  // The line is made of the fields named here alone: looking for secrets in each costs more than writing it.
  const lines = logger.child({}, { redact: [] });
  return (request, response, next) => {
    const { method, path } = request;
    if (path.endsWith('/health')) return next();
    const startedMs = performance.now();
    // Without a listener, an error in writing a response would end the process.
    response.on('error', (error) =>
      lines.error({ err: error, path, requestId: requestIdOf(response) }, 'could not write a response'),
    );
    const logEnd = () => {
      const { statusCode, writableFinished } = response;
      lines[levelOf(statusCode)](
        {
          req: { method },
          path,
          requestId: requestIdOf(response),
          res: { statusCode },
          responseTime: Math.round(performance.now() - startedMs),
        },
        writableFinished ? 'request completed' : 'request aborted',
      );
    };
    response.once('close', keepTrace(logEnd));
    next();
  };
};
