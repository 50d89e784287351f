import { join } from 'node:path';
import { loopbackUrl } from '@mailsweep/service-kit';
import { REPOSITORY } from '../repository.ts';
import { answersAt } from '../supervision/readiness.ts';
import type { ProcessPart } from '../supervision/supervisor.ts';
import {
  type StackPlan,
  toBackendEnvironment,
  toMailboxEnvironment,
  toPushEnvironment,
} from './stack-plan.ts';
import { watchInDevelopment } from './watched-folders.ts';

/** The consumer of the queue. */
export const createWorkerPart = (plan: StackPlan): ProcessPart => ({
  name: 'worker',
  title: 'Worker',
  command: {
    module: join(REPOSITORY, 'apps/worker/src/main.ts'),
    env: {
      ...plan.environment,
      ...toBackendEnvironment(plan),
      ...toMailboxEnvironment(plan),
      ...toPushEnvironment(plan),
      WORKER_PORT: String(plan.ports.worker),
    },
  },
  ...watchInDevelopment(plan, 'worker'),
  isReady: () => answersAt(`${loopbackUrl(plan.ports.worker)}/ready`),
  startTimeoutMs: 60_000,
  stopTimeoutMs: 3_000,
});
