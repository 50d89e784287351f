import { API_ROUTES, STREAM_ROUTES } from '@mailsweep/contracts';
import { ProblemError } from '@mailsweep/service-kit';
import type { Router } from 'express';
import { followProgress } from '../../streams/follow-progress.ts';
import type { UseCases } from '../../use-cases.ts';
import type { BindRoute } from '../bind-route.ts';

/**
 * Planning, running and following cleanups.
 *
 * @param bindToMailbox - binds routes that wait for Gmail
 */
export const addCleanupRoutes = (
  router: Router,
  { bind, bindToMailbox }: { bind: BindRoute; bindToMailbox: BindRoute },
  useCases: UseCases,
): void => {
  bindToMailbox(router, API_ROUTES.createCleanup, ({ session, body }) =>
    useCases.planCleanup(session.userId, body),
  );

  bind(router, API_ROUTES.listCleanups, ({ session, query }) => useCases.listCleanups(session.userId, query));

  bind(router, API_ROUTES.getCleanup, async ({ session, params }) =>
    requireCleanup(await useCases.findCleanupPlan(session.userId, params.id)),
  );

  bind(router, API_ROUTES.listCleanupEmails, async ({ session, params, query }) =>
    requireCleanup(await useCases.listCleanupEmails(session.userId, params.id, query)),
  );

  bind.stream(router, STREAM_ROUTES.followCleanup, ({ session, params, lastEventId, signal }) =>
    followProgress({ read: () => useCases.findFollowedCleanup(session, params.id), lastEventId, signal }),
  );

  for (const command of ['run', 'pause', 'resume', 'cancel'] as const) {
    bind(router, API_ROUTES[`${command}Cleanup`], async ({ session, params }) =>
      requireCleanup(await useCases.controlCleanup(session.userId, params.id, command)),
    );
  }

  bindToMailbox(router, API_ROUTES.undoCleanup, async ({ session, params, accept }) => {
    const { cleanup, isRunning } = requireCleanup(await useCases.undoCleanup(session.userId, params.id));
    if (isRunning) accept();
    return cleanup;
  });
};

const requireCleanup = <T>(found: T | null): T => {
  if (found === null) throw new ProblemError(404, 'not_found', 'There is no such cleanup of yours.');
  return found;
};
