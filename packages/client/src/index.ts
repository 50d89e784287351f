export {
  type ApiClient,
  type CallOptions,
  type ClientOptions,
  createClient,
  newIdempotencyKey,
  type OperationId,
  type RequestOf,
  type ResponseOf,
} from './client.ts';
export {
  isProblem,
  type ProblemCode,
  ProblemError,
  UnexpectedResponseError,
  UnreachableError,
} from './errors.ts';
export type * from './operations.ts';
export { type ItemOf, listItems, listPages } from './pages.ts';
export { followCleanup, followScan, type ProgressOptions } from './progress.ts';
