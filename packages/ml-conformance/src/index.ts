export { type CheckResult, checkService, type Report } from './check-service.ts';
export type { Finding } from './clauses.ts';
export { CLAUSES, type Clause } from './clauses.ts';
export { createService, type Exchange } from './service.ts';
