import { API_ROUTES } from '@mailsweep/contracts';
import type { Provider, Providers } from '@mailsweep/mail/provider-connection';
import type { Router } from 'express';
import { describeProvider } from '../auth/sign-in/describe-provider.ts';
import { databaseUnavailable } from '../http/problems.ts';
import type { BindRoute } from './bind-route.ts';

/** `GET /api/v1/health` and `GET /api/v1/health/db`; neither needs a session. */
export const addHealthRoutes = (
  router: Router,
  bind: BindRoute,
  isDatabaseReachable: () => Promise<boolean | undefined>,
): void => {
  bind(router, API_ROUTES.checkHealth, async () => ({ status: 'ok' as const }));

  bind(router, API_ROUTES.checkDatabaseHealth, async () => {
    if (!(await isDatabaseReachable())) throw databaseUnavailable();
    return { db: 'ok' as const };
  });
};

/** `GET /api/v1/providers`; it needs no session. */
export const addProviderRoutes = (
  router: Router,
  bind: BindRoute,
  { providers, providersOf }: { providers: Providers; providersOf: (domain: string) => Promise<Provider[]> },
): void => {
  bind(router, API_ROUTES.listProviders, async ({ query: { domain } }) => {
    const listed = domain === undefined ? [...providers.values()] : await providersOf(domain);
    return { data: listed.map(describeProvider) };
  });
};
