import { API_ROUTES } from '@mailsweep/contracts';
import { ProblemError } from '@mailsweep/service-kit';
import type { Router } from 'express';
import type { SecurityLog } from '../../security-log.ts';
import type { UseCases } from '../../use-cases.ts';
import type { BindRoute } from '../bind-route.ts';

/** The history with its undo, the stored events, and their summary. */
export const addNotificationRoutes = (
  router: Router,
  bind: BindRoute,
  { useCases, securityLog }: { useCases: UseCases; securityLog: SecurityLog },
): void => {
  bind(router, API_ROUTES.summarizeNotifications, ({ session, query }) =>
    useCases.summarizeNotifications(session.userId, query.period),
  );

  bind(router, API_ROUTES.listActionHistory, ({ session, query }) =>
    useCases.listActionHistory(session.userId, query),
  );

  bind(router, API_ROUTES.listActionBatches, ({ session, query }) =>
    useCases.listActionBatches(session.userId, query),
  );

  bind(router, API_ROUTES.undoActionBatch, async ({ session, params, accept }) => {
    const undo = await useCases.undoBatch(session.userId, params.id);
    if (undo === null) throw noSuchBatch();
    if (undo.isRunning) accept();
    return undo.batch;
  });

  bind(router, API_ROUTES.undoActions, ({ session, body, idempotency }) =>
    useCases.undoActions(session.userId, body.ids, idempotency),
  );

  bind(router, API_ROUTES.undoAction, async ({ session, params, idempotency }) => {
    const undone = await useCases.undoActions(session.userId, [params.id], idempotency);
    const [result] = undone.results;
    // A record that exists always names its email; what remains is no record of this user.
    if (result?.emailId === undefined)
      throw new ProblemError(404, 'not_found', 'There is no such history record.');
    return undone;
  });

  bind(router, API_ROUTES.listNotificationEvents, async ({ session, query, requestId }) => {
    const { userId, page, perPage } = query;
    if (userId !== undefined && userId !== session.userId) {
      securityLog('foreign_user_asked', { userId: session.userId, sessionId: session.id, requestId });
      return { total: 0, page, perPage, data: [] };
    }
    return useCases.listNotificationEvents(session.userId, query);
  });
};

const noSuchBatch = () => new ProblemError(404, 'not_found', 'There is no such batch.');
