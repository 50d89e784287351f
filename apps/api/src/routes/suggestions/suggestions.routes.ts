import { API_ROUTES } from '@mailsweep/contracts';
import type { Router } from 'express';
import { createProblem } from '../../http/create-problem.ts';
import type { QueryQueue } from '../../limits/query-queue.ts';
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

/** What is learned from the user's decisions: how often suggestions are right, and what is no longer suggested. */
export const addLearningRoutes = (
  router: Router,
  bind: BindRoute,
  dependencies: {
    useCases: Pick<UseCases, 'getPrecision' | 'listStoppedSuggestions' | 'allowSuggestion'>;
    queryQueue: QueryQueue;
  },
): void => {
  const { useCases, queryQueue } = dependencies;

  bind(router, API_ROUTES.getPrecision, ({ caller: { userId }, query }) =>
    queryQueue.run(userId, () => useCases.getPrecision(userId, query)),
  );

  bind(router, API_ROUTES.listStoppedSuggestions, ({ caller, query }) =>
    useCases.listStoppedSuggestions(caller.userId, query),
  );

  bind(router, API_ROUTES.allowSuggestion, async ({ caller, params }) => {
    const wasStopped = await useCases.allowSuggestion(caller.userId, params.id);
    if (!wasStopped) throw createProblem('not_found', 'There is no such stopped suggestion of yours.');
    return undefined;
  });
};
