import { API_ROUTES } from '@mailsweep/contracts';
import type { Mailsweep } from '@mailsweep/core';
import type { Router } from 'express';
import { toAuditIds } from '../../auth/authenticate.ts';
import { createProblem } from '../../http/problems.ts';
import type { QueryQueue } from '../../limits/query-queue.ts';
import type { SecurityLog } from '../../security-log.ts';
import type { BindRoute } from '../bind-route.ts';

/** The history with its undo, the stored events, and their summary. */
export const addHistoryRoutes = (
  router: Router,
  bind: BindRoute,
  dependencies: { mailsweep: Mailsweep; queryQueue: QueryQueue; securityLog: SecurityLog },
): void => {
  const { mailsweep, queryQueue, securityLog } = dependencies;
  /** A search decrypts all email of a batch, or of the whole history. */
  const inTurn = <T>(userId: string, { search }: { search?: string | undefined }, query: () => Promise<T>) =>
    search === undefined ? query() : queryQueue.run(userId, query);

  bind(router, API_ROUTES.summarizeNotifications, ({ caller, query }) =>
    mailsweep.history.summarizeEvents(caller.userId, query.period),
  );

  bind(router, API_ROUTES.listActionHistory, ({ caller: { userId }, query }) =>
    inTurn(userId, query, () => mailsweep.history.list(userId, query)),
  );

  bind(router, API_ROUTES.listActionBatches, ({ caller: { userId }, query }) =>
    inTurn(userId, query, () => mailsweep.history.listBatches(userId, query)),
  );

  bind(router, API_ROUTES.listBatchSenders, async ({ caller: { userId }, params, query }) => {
    const senders = await inTurn(userId, query, () =>
      mailsweep.history.listBatchSenders(userId, params.id, query),
    );
    if (senders === null) throw noSuchBatch();
    return senders;
  });

  bind(router, API_ROUTES.undoActionBatch, async ({ caller, params, accept }) => {
    const undo = await mailsweep.undo.batch(caller.userId, params.id);
    if (undo === null) throw noSuchBatch();
    if (undo.isRunning) accept();
    return undo.batch;
  });

  bind(router, API_ROUTES.undoActions, ({ caller, body, idempotency }) =>
    mailsweep.undo.actions(caller.userId, body.ids, idempotency),
  );

  bind(router, API_ROUTES.undoAction, async ({ caller, params, idempotency }) => {
    const undone = await mailsweep.undo.actions(caller.userId, [params.id], idempotency);
    const [result] = undone.results;
    // A record that exists always names its email; what remains is no record of this user.
    if (result?.emailId === undefined) throw createProblem('not_found', 'There is no such history record.');
    return undone;
  });

  bind(router, API_ROUTES.listNotificationEvents, async ({ caller, query, requestId }) => {
    const { userId, page, perPage } = query;
    if (userId !== undefined && userId !== caller.userId) {
      securityLog('foreign_user_asked', { userId: caller.userId, ...toAuditIds(caller), requestId });
      return { total: 0, page, perPage, data: [] };
    }
    return mailsweep.history.listEvents(caller.userId, query);
  });
};

const noSuchBatch = () => createProblem('not_found', 'There is no such batch.');
