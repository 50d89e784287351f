import { API_ROUTES } from '@mailsweep/contracts';
import type { Router } from 'express';
import type { UseCases } from '../../use-cases.ts';
import type { BindRoute } from '../bind-route.ts';

/** What the user chose for every device, and what the watch is at. */
export const addPreferencesRoutes = (router: Router, bind: BindRoute, useCases: UseCases): void => {
  bind(router, API_ROUTES.getPreferences, ({ session }) => useCases.findPreferences(session.userId));

  bind(router, API_ROUTES.updatePreferences, ({ session, body, readClient }) =>
    useCases.updatePreferences(session.userId, body, { sessionId: session.id, ...readClient() }),
  );

  bind(router, API_ROUTES.getWatch, ({ session }) => useCases.findWatch(session.userId));
};
