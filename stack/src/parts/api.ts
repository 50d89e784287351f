import { join } from 'node:path';
import { REPOSITORY } from '../repository.ts';
import { respondsAt } from '../supervision/readiness.ts';
import type { ProcessPart } from '../supervision/supervisor.ts';
import { type StackPlan, toBackendEnvironment, toMailboxEnvironment } from './stack-plan.ts';

/** The backend API. */
export const createApiPart = (plan: StackPlan): ProcessPart => {
  const { addresses, config } = plan;
  // The port that the stack was asked for is the API's, and so is its second one.
  const { PORT_HTTP } = config.environment;
  return {
    name: 'api',
    title: 'API',
    command: {
      module: join(REPOSITORY, 'apps/api/src/main.ts'),
      isWatched: plan.config.isDev,
      env: {
        ...plan.environment,
        ...toBackendEnvironment(plan),
        PORT: String(plan.ports.api),
        ...(PORT_HTTP === undefined ? {} : { PORT_HTTP }),
        ...toMailboxEnvironment(plan),
        ...(plan.vapidKeys && { VAPID_PUBLIC_KEY: plan.vapidKeys.publicKey }),
        OAUTH_REDIRECT_URI: plan.redirectUri,
        FRONTEND_ORIGIN: plan.frontendOrigin,
      },
    },
    isReady: () => respondsAt(`${addresses.api}/api/v1/health`, `${addresses.api}/api/v1/health/db`),
    startTimeoutMs: plan.config.isDev ? Number.POSITIVE_INFINITY : 60_000,
    // With OPERATIONS_PORT it serves on for three seconds.
    stopTimeoutMs: 6_000,
  };
};
