import { API_ROUTES } from '@mailsweep/contracts';
import { ProblemError } from '@mailsweep/service-kit';
import type { Router } from 'express';
import type { UseCases } from '../../use-cases.ts';
import type { BindRoute } from '../bind-route.ts';

/**
 * Planning and running cleanups.
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

  bind(router, API_ROUTES.getCleanup, async ({ session, params, setETag }) => {
    const cleanup = requireCleanup(await useCases.findCleanup(session.userId, params.id));
    // A client that follows a cleanup asks every second: the sample is read only for a response.
    const sample = setETag(cleanup) ? [] : await useCases.listCleanupSample(session.userId, cleanup.id);
    return { ...cleanup, sample };
  });

  bind(router, API_ROUTES.listCleanupEmails, async ({ session, params, query }) =>
    requireCleanup(await useCases.listCleanupEmails(session.userId, params.id, query)),
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
