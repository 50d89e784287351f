import { join } from 'node:path';
import { REPOSITORY } from '../repository.ts';
import { respondsAt } from '../supervision/readiness.ts';
import type { ProcessPart } from '../supervision/supervisor.ts';
import type { StackPlan } from './stack-plan.ts';

/** The reference classification service; none when the address of another is given. */
export const createMlPart = (plan: StackPlan): ProcessPart | null => {
  if (plan.config.given.mlBaseUrl !== undefined) return null;
  return {
    name: 'ml',
    title: 'ML service',
    command: {
      module: join(REPOSITORY, 'apps/ml/src/main.ts'),
      isWatched: plan.config.isDev,
      env: {
        ...plan.environment,
        PORT: String(plan.ports.ml),
        INTERNAL_JWT_SECRET: plan.internalJwtSecret,
      },
    },
    isReady: () => respondsAt(`${plan.addresses.ml}/health`),
    startTimeoutMs: plan.config.isDev ? Number.POSITIVE_INFINITY : 30_000,
    stopTimeoutMs: 1_000,
  };
};
