export { createAccessLog } from './access-log.ts';
export { writeFileAtomically } from './atomic-file.ts';
export {
  type BackgroundLoop,
  createOutageLog,
  exponentialDelay,
  type OutageLog,
  type RetryDelay,
  scheduledDelay,
  startBackgroundLoop,
} from './background/background-loop.ts';
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
export { resolvesWithin, withDeadline } from './resilience/bounded.ts';
export { type Lifecycle, runService } from './service.ts';
