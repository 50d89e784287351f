import { join } from 'node:path';
import { loopbackUrl } from '@mailsweep/service-kit';
import { REPOSITORY } from '../repository.ts';
import { respondsAt } from '../supervision/readiness.ts';
import type { ProcessPart } from '../supervision/supervisor.ts';
import {
  type StackPlan,
  toBackendEnvironment,
  toMailboxEnvironment,
  toPushEnvironment,
} from './stack-plan.ts';

/** The consumer of the queue. */
export const createWorkerPart = (plan: StackPlan): ProcessPart => ({
  name: 'worker',
  title: 'Worker',
  command: {
    module: join(REPOSITORY, 'apps/worker/src/main.ts'),
    isWatched: plan.config.isDev,
    env: {
      ...plan.environment,
      ...toBackendEnvironment(plan),
      ...toMailboxEnvironment(plan),
      ...toPushEnvironment(plan),
      WORKER_PORT: String(plan.ports.worker),
    },
  },
  isReady: () => respondsAt(`${loopbackUrl(plan.ports.worker)}/ready`),
  startTimeoutMs: plan.config.isDev ? Number.POSITIVE_INFINITY : 60_000,
  stopTimeoutMs: 3_000,
});
