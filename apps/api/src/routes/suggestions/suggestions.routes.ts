import { API_ROUTES } from '@mailsweep/contracts';
import type { Router } from 'express';
import type { UseCases } from '../../use-cases.ts';
import type { BindRoute } from '../bind-route.ts';

/** `GET /api/v1/suggestions` and `POST /api/v1/notifications/confirm`. */
export const addSuggestionRoutes = (router: Router, bind: BindRoute, useCases: UseCases): void => {
  bind(router, API_ROUTES.listSuggestions, ({ caller, query, requestId }) =>
    useCases.suggestActions(caller.userId, query, requestId),
  );

  bind(router, API_ROUTES.confirmSuggestions, ({ caller, body, idempotency }) =>
    useCases.confirmSuggestions(caller.userId, body, idempotency),
  );
};
