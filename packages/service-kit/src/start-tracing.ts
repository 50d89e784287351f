import { createOutageLog } from './background/background-loop.ts';
import { isTracingEnabled } from './config.ts';
import type { Logger } from './logger.ts';
import { resolvesWithin } from './resilience/bounded.ts';
import type { Lifecycle } from './service.ts';

/** Longest wait at shutdown for the last spans to be taken, in milliseconds. */
const FLUSH_TIMEOUT_MS = 2_000;

/**
 * Exports spans from now on, if OpenTelemetry's own variables say where to (docs/TRACING.md); otherwise the SDK is not even
 * loaded. Call it before anything else is opened, so that it is closed last.
 *
 * @param options.service - the name of the process, unless OTEL_SERVICE_NAME says otherwise
 */
export const startTracing = async (options: {
  service: string;
  logger: Logger;
  lifecycle: Lifecycle;
}): Promise<void> => {
  if (!isTracingEnabled()) return;
  const { service, logger, lifecycle } = options;
  const { startSdk } = await import('./tracing/sdk.ts');
  const shutdown = startSdk({
    service,
    outageLog: createOutageLog(logger, 'the collector of traces'),
    warn: (message) => logger.warn(message),
  });
  lifecycle.onClose('tracing', async () => {
    // A collector that is unavailable has been logged.
    await resolvesWithin(
      shutdown().catch(() => undefined),
      FLUSH_TIMEOUT_MS,
    );
  });
};
