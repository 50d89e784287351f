import type { Request, RequestHandler, Response } from 'express';
import { pinoHttp } from 'pino-http';
import type { Logger } from './logger.ts';
import { requestIdOf } from './problem.ts';

const pathOf = (request: Request): string => request.baseUrl + request.path;

/**
 * Logs one line for each request: method, path, status, time in milliseconds and request id. Queries and
 * headers stay out of it: they carry authorization codes and tokens.
 */
export const createAccessLog = (logger: Logger): RequestHandler =>
  pinoHttp<Request, Response>({
    // The line is made of the fields named here alone: looking for secrets in each costs more than writing it.
    logger: logger.child({}, { redact: [] }),
    quietReqLogger: true,
    autoLogging: { ignore: (request) => request.path.endsWith('/health') },
    customLogLevel: (_request, response, error) => {
      if (error !== undefined || response.statusCode >= 500) return 'error';
      return response.statusCode >= 400 ? 'warn' : 'info';
    },
    customSuccessObject: (request, _response, value) => ({ ...value, path: pathOf(request) }),
    // The error handler has logged what went wrong; the library would make up an error of its own here.
    customErrorObject: (request, _response, _error, { err: _madeUp, ...value }) => ({
      ...value,
      path: pathOf(request),
    }),
    genReqId: (_request, response) => requestIdOf(response),
    customAttributeKeys: { reqId: 'requestId' },
    serializers: {
      req: (request: { method: string }) => ({ method: request.method }),
      res: (response: { statusCode: number }) => ({ statusCode: response.statusCode }),
    },
  });
