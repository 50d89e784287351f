import express, { type Router } from 'express';
import { collectDefaultMetrics, Registry } from 'prom-client';

/** A registry of Prometheus metrics that already holds those of the process (memory, event loop, GC). */
export const createMetricsRegistry = (service: string): Registry => {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  return registry;
};

/** Whether a part of the service can be used; rejects or answers false when it can't. */
export type ReadinessCheck = () => Promise<boolean>;

/**
 * The operators' routes: `/health` (the process lives), `/ready` (it can do its work: 200, else 503 with
 * the names of what fails) and `/metrics`.
 */
export const createOperationsRouter = (options: {
  registry: Registry;
  checks: Record<string, ReadinessCheck>;
}): Router => {
  const router = express.Router();
  router.get('/health', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/ready', async (_request, response) => {
    const failing = await findFailingChecks(options.checks);
    response
      .status(failing.length === 0 ? 200 : 503)
      .json({ status: failing.length === 0 ? 'ready' : 'not_ready', failing });
  });
  router.get('/metrics', async (_request, response) => {
    response.type(options.registry.contentType).send(await options.registry.metrics());
  });
  return router;
};

const findFailingChecks = async (checks: Record<string, ReadinessCheck>): Promise<string[]> => {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => ({ name, ok: await check().catch(() => false) })),
  );
  return results.filter((result) => !result.ok).map((result) => result.name);
};
