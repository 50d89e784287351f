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
export { deliveryVariables, type PushConfig, readPushConfig } from './delivery-config.ts';
export { createAccessLog } from './http/access-log.ts';
export { createDocsRouter } from './http/docs-page.ts';
export {
  type HttpServer,
  listen,
  listenOnLoopback,
  loopbackUrl,
  toClientKey,
  UNKNOWN_CLIENT,
} from './http/http-server.ts';
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
export { toPlainName } from './plain-name.ts';
export { resolvesWithin, whileRenewing, withDeadline } from './resilience/bounded.ts';
export { exponentialDelay, type RetryDelay, scheduledDelay } from './resilience/retry.ts';
export { type Lifecycle, runService } from './service.ts';
export { startTracing } from './start-tracing.ts';
export {
  ConfigError,
  type ConfigIssue,
  findSuspectVariables,
  pickSharedVariables,
  readSecretFiles,
  VARIABLES,
} from './variables.ts';
export { VERSION } from './version.ts';
