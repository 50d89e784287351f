import type { ErrorRequestHandler } from 'express';

/** Responds where the router or a file cannot: 4xx as they are, anything else as 500. Nothing of the error is sent. */
export const respondToError: ErrorRequestHandler = (
  error: { status?: unknown },
  _request,
  response,
  next,
) => {
  if (response.headersSent) return next(error);
  const isClientError = typeof error.status === 'number' && error.status >= 400 && error.status < 500;
  const status = isClientError ? (error.status as number) : 500;
  response
    .status(status)
    .type('text')
    .send(isClientError ? 'Bad request' : 'Internal server error');
};
