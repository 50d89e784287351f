export { writeFileAtomically } from './atomic-file.ts';
export {
  type BackgroundLoop,
  createOutageLog,
  type OutageLog,
  startBackgroundLoop,
} from './background/background-loop.ts';
export {
  FlagSchema,
  HttpUrlSchema,
  InternalHostSchema,
  LogLevelSchema,
  loadConfig,
  mlVariables,
  PortSchema,
  parseConfig,
  RedisUrlSchema,
  readParts,
  SecretSchema,
  warnOfVariables,
} from './config.ts';
export { ConfigError, type ConfigIssue } from './config-error.ts';
export { createAccessLog } from './http/access-log.ts';
export { toClientKey, UNKNOWN_CLIENT } from './http/client-address.ts';
export { createDocsRouter } from './http/docs-page.ts';
export { type HttpServer, listen } from './http/http-server.ts';
export { listenOnLoopback, loopbackUrl } from './http/loopback-server.ts';
export {
  createErrorHandler,
  type FieldError,
  ProblemError,
  type ProblemOptions,
  requestId,
  requestIdOf,
  routeNotFound,
  titleOf,
  toFieldErrors,
  translateHttpError,
} from './http/problem.ts';
export { createLogger, type Logger } from './logger.ts';
export {
  createMetricsRegistry,
  createOperationsRouter,
  createSharedReading,
  type ReadinessCheck,
  registerReading,
  startAtZero,
} from './operations.ts';
export { resolvesWithin, withDeadline } from './resilience/bounded.ts';
export { exponentialDelay, type RetryDelay, scheduledDelay } from './resilience/retry.ts';
export { whileRenewing } from './resilience/while-renewing.ts';
export { readSecretFiles } from './secret-files.ts';
export { type Lifecycle, runService } from './service.ts';
export { startTracing } from './start-tracing.ts';
export { findSuspectVariables, VARIABLES } from './variable-names.ts';
export { VERSION } from './version.ts';
