import express, { type Router } from 'express';
import { type Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { withDeadline } from './resilience/bounded.ts';
import { VERSION } from './version.ts';

/** A registry of Prometheus metrics that already holds those of the process (memory, event loop, GC). */
export const createMetricsRegistry = (service: string): Registry => {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  return registry;
};

/**
 * Shows a counter as 0 for each value of its label before anything is counted: Prometheus sees no increase in a series
 * that begins at 1, so that an alert would miss the first event.
 */
export const startAtZero = <Label extends string>(
  counter: Counter<Label>,
  label: Label,
  values: readonly string[],
): void => {
  for (const value of values) counter.inc({ [label]: value } as Record<Label, string>, 0);
};

/** Longest wait for figures from elsewhere, in milliseconds: what is out of reach must not take the rest with it. */
const READING_TIMEOUT_MS = 2_500;

/**
 * Shares a reading among all who ask while it is in flight, and for some time after.
 *
 * @param reuseMs - how long a result is reused, in milliseconds
 * @returns what was read; undefined when it could not be had in time
 */
export const createSharedReading = <T>(
  read: () => Promise<T>,
  reuseMs = 0,
): (() => Promise<T | undefined>) => {
  let inFlight: Promise<T | undefined> | undefined;
  return () => {
    inFlight ??= withDeadline(read(), READING_TIMEOUT_MS, () => new Error('took too long'))
      .catch(() => undefined)
      .finally(() => {
        if (reuseMs === 0) inFlight = undefined;
        else setTimeout(() => (inFlight = undefined), reuseMs).unref();
      });
    return inFlight;
  };
};

/**
 * Registers gauges of what is counted elsewhere, by one reading whenever the metrics are read. They are absent while
 * there is none.
 */
export const registerReading = <T>(
  registry: Registry,
  read: () => Promise<T>,
  gauges: readonly {
    name: string;
    help: string;
    labelNames?: readonly string[];
    show: (gauge: Gauge, measured: T) => void;
  }[],
): void => {
  const share = createSharedReading(read);
  for (const { show, labelNames = [], ...texts } of gauges) {
    new Gauge({
      ...texts,
      labelNames,
      registers: [registry],
      async collect() {
        const measured = await share();
        this.reset();
        // Without labels, a gauge that is reset is 0.
        if (labelNames.length === 0) this.remove();
        if (measured !== undefined) show(this, measured);
      },
    });
  }
};

/** Longest wait for one check, in milliseconds: a part that takes longer can't be used. */
const CHECK_TIMEOUT_MS = 2_500;

/** Whether a part of the service can be used; rejects or resolves to false when it can't. */
export type ReadinessCheck = () => Promise<boolean>;

/**
 * The operators' routes: `/health` (the process lives, and its version), `/ready` (it can do its work: 200, else 503; both
 * with the names of what fails) and `/metrics`.
 *
 * @param options.spared - what the process serves on without
 */
export const createOperationsRouter = (options: {
  registry: Registry;
  checks: Record<string, ReadinessCheck>;
  spared?: Record<string, ReadinessCheck>;
}): Router => {
  const router = express.Router();
  router.get('/health', (_request, response) => {
    response.json({ status: 'ok', version: VERSION });
  });
  router.get('/ready', async (_request, response) => {
    const failing = await findFailingChecks({ ...options.checks, ...options.spared });
    const isReady = !failing.some((name) => name in options.checks);
    response.status(isReady ? 200 : 503).json({ status: isReady ? 'ready' : 'not_ready', failing });
  });
  router.get('/metrics', async (_request, response) => {
    response.type(options.registry.contentType).send(await options.registry.metrics());
  });
  return router;
};

const findFailingChecks = async (checks: Record<string, ReadinessCheck>): Promise<string[]> => {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => ({
      name,
      ok: await inTime(check()).catch(() => false),
    })),
  );
  return results.filter((result) => !result.ok).map((result) => result.name);
};

const inTime = (check: Promise<boolean>): Promise<boolean> =>
  withDeadline(check, CHECK_TIMEOUT_MS, () => new Error('took too long'));
