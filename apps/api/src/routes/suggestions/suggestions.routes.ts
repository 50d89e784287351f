import { API_ROUTES } from '@mailsweep/contracts';
import type { Mailsweep } from '@mailsweep/core';
import type { Router } from 'express';
import { createProblem } from '../../http/problems.ts';
import type { QueryQueue } from '../../limits/query-queue.ts';
import type { BindRoute } from '../bind-route.ts';

/** `GET /api/v1/suggestions` and `POST /api/v1/notifications/confirm`. */
export const addSuggestionRoutes = (router: Router, bind: BindRoute, mailsweep: Mailsweep): void => {
  bind(router, API_ROUTES.listSuggestions, ({ caller, query, requestId }) =>
    mailsweep.suggestions.suggest(caller.userId, query, requestId),
  );

  bind(router, API_ROUTES.confirmSuggestions, ({ caller, body, idempotency }) =>
    mailsweep.suggestions.confirm(caller.userId, body, idempotency),
  );
};

/** What is learned from the user's decisions: how often suggestions are right, and what is no longer suggested. */
export const addLearningRoutes = (
  router: Router,
  bind: BindRoute,
  dependencies: { mailsweep: Mailsweep; queryQueue: QueryQueue },
): void => {
  const { mailsweep, queryQueue } = dependencies;

  bind(router, API_ROUTES.getPrecision, ({ caller: { userId }, query }) =>
    queryQueue.run(userId, () => mailsweep.learning.getPrecision(userId, query)),
  );

  bind(router, API_ROUTES.listStoppedSuggestions, ({ caller, query }) =>
    mailsweep.learning.listStopped(caller.userId, query),
  );

  bind(router, API_ROUTES.allowSuggestion, async ({ caller, params }) => {
    const wasStopped = await mailsweep.learning.allow(caller.userId, params.id);
    if (!wasStopped) throw createProblem('not_found', 'There is no such stopped suggestion of yours.');
    return undefined;
  });
};
