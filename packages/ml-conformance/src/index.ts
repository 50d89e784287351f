export { type CheckResult, checkService, type Report } from './check-service.ts';
export { CLAUSES, type Clause } from './clauses.ts';
export type { Finding } from './finding.ts';
export { createService, type Exchange } from './service.ts';
