import { API_ROUTES } from '@mailsweep/contracts';
import type { Router } from 'express';
import type { UseCases } from '../../use-cases.ts';
import type { BindRoute } from '../bind-route.ts';

/** What the user chose for every device, and what the watch is at. */
export const addPreferencesRoutes = (router: Router, bind: BindRoute, useCases: UseCases): void => {
  bind(router, API_ROUTES.getPreferences, ({ caller }) => useCases.findPreferences(caller.userId));

  bind(router, API_ROUTES.updatePreferences, ({ caller, body, readClient }) =>
    useCases.updatePreferences(caller.userId, body, readClient()),
  );

  bind(router, API_ROUTES.getWatch, ({ caller }) => useCases.findWatch(caller.userId));
};
