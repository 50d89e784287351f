import express, { type Router } from 'express';
import { z } from 'zod';
import { BehaviourChangeSchema, type BehaviourSettings } from './behaviour.ts';
import { FaultSchema, type Faults } from './limits/faults.ts';
import type { QuotaUsage } from './limits/quota.ts';
import type { RequestLog } from './request-log.ts';

/** Routes for tests: order faults, change how the sandbox behaves, and see what was asked of the provider. */
export const createAdminRouter = (options: {
  faults: Faults;
  behaviour: BehaviourSettings;
  log: RequestLog;
  usage: QuotaUsage;
}): Router => {
  const { faults, behaviour, log, usage } = options;
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
  router.get('/behaviour', (_request, response) => {
    response.json(behaviour.now);
  });
  router.patch('/behaviour', express.json(), (request, response) => {
    const parsed = BehaviourChangeSchema.safeParse(request.body);
    if (!parsed.success) {
      response.status(400).json({ error: z.prettifyError(parsed.error) });
      return;
    }
    behaviour.change(parsed.data);
    response.json(behaviour.now);
  });
  router.delete('/behaviour', (_request, response) => {
    behaviour.reset();
    response.status(204).end();
  });
  router.get('/requests', (_request, response) => {
    response.json(log.list());
  });
  router.delete('/requests', (_request, response) => {
    log.clear();
    response.status(204).end();
  });
  router.post('/quota/marks', (_request, response) => {
    response.status(201).json({ mark: usage.mark() });
  });
  router.get('/quota', (request, response) => {
    const { since } = request.query;
    const report = usage.report(since === undefined ? undefined : Number(since));
    if (report === undefined) {
      response.status(404).json({ error: 'There is no such mark.' });
      return;
    }
    response.json(report);
  });
  return router;
};
