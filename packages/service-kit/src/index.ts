export { createAccessLog } from './access-log.ts';
export { writeFileAtomically } from './atomic-file.ts';
export { type BackgroundLoop, startBackgroundLoop } from './background/background-loop.ts';
export { createOutageLog, type OutageLog } from './background/outage-log.ts';
export { resolvesWithin } from './background/resolves-within.ts';
export { exponentialDelay, type RetryDelay, scheduledDelay } from './background/retry-delays.ts';
export { toClientKey, UNKNOWN_CLIENT } from './client-address.ts';
export {
  ConfigError,
  FlagSchema,
  HttpUrlSchema,
  LogLevelSchema,
  loadConfig,
  PortSchema,
  parseConfig,
  SecretSchema,
} from './config.ts';
export { createDocsRouter } from './docs-page.ts';
export { type HttpServer, listen } from './http-server.ts';
export { createLogger, type Logger } from './logger.ts';
export { listenOnLoopback, loopbackUrl } from './loopback-server.ts';
export {
  createMetricsRegistry,
  createOperationsRouter,
  createSharedReading,
  type ReadinessCheck,
} from './operations.ts';
export {
  createErrorHandler,
  type FieldError,
  ProblemError,
  requestId,
  requestIdOf,
  routeNotFound,
  toFieldErrors,
} from './problem.ts';
export { withDeadline } from './resilience/deadline.ts';
export { type Lifecycle, runService } from './service.ts';
