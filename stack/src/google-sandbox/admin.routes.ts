import express, { type Router } from 'express';
import { z } from 'zod';
import { FaultSchema, type Faults } from './faults.ts';
import type { RequestLog } from './request-log.ts';

/** Routes for tests: order faults, and see what was asked of the provider. */
export const createAdminRouter = (options: { faults: Faults; log: RequestLog }): Router => {
  const { faults, log } = options;
  const router = express.Router();

  router.get('/health', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/faults', (_request, response) => {
    response.json(faults.list());
  });
  router.post('/faults', express.json(), (request, response) => {
    const parsed = FaultSchema.safeParse(request.body);
    if (!parsed.success) {
      response.status(400).json({ error: z.prettifyError(parsed.error) });
      return;
    }
    faults.add(parsed.data);
    response.status(201).json(parsed.data);
  });
  router.delete('/faults', (_request, response) => {
    faults.clear();
    response.status(204).end();
  });
  router.get('/requests', (_request, response) => {
    response.json(log.list());
  });
  router.delete('/requests', (_request, response) => {
    log.clear();
    response.status(204).end();
  });
  return router;
};
