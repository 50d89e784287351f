import { API_ROUTES } from '@mailsweep/contracts';
import type { Router } from 'express';
import { isToken } from '../../auth/authenticate.ts';
import { createProblem } from '../../http/create-problem.ts';
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
  bindToMailbox(router, API_ROUTES.createCleanup, ({ caller, body }) =>
    useCases.planCleanup(caller.userId, body),
  );

  bind(router, API_ROUTES.listCleanups, ({ caller, query }) => useCases.listCleanups(caller.userId, query));

  bind(router, API_ROUTES.getCleanup, async ({ caller, params, setETag }) => {
    const cleanup = requireCleanup(await useCases.findCleanup(caller.userId, params.id));
    // A client that follows a cleanup asks every second: the sample is read only for a response.
    const sample = setETag(cleanup) ? [] : await useCases.listCleanupSample(caller.userId, cleanup.id);
    return { ...cleanup, sample };
  });

  bind(router, API_ROUTES.listCleanupEmails, async ({ caller, params, query }) =>
    requireCleanup(await useCases.listCleanupEmails(caller.userId, params.id, query)),
  );

  bind(router, API_ROUTES.runCleanup, async ({ caller, params, body, accept }) => {
    const isAsking = body.requiresConfirmation === true;
    const token = isToken(caller)
      ? { name: caller.name, requiresConfirmation: caller.requiresConfirmation || isAsking }
      : undefined;
    const cleanup = requireCleanup(await useCases.controlCleanup(caller.userId, params.id, 'run', token));
    if (cleanup.state === 'awaiting_confirmation') accept();
    return cleanup;
  });

  for (const command of ['pause', 'resume', 'cancel'] as const) {
    bind(router, API_ROUTES[`${command}Cleanup`], async ({ caller, params }) =>
      requireCleanup(await useCases.controlCleanup(caller.userId, params.id, command)),
    );
  }

  bindToMailbox(router, API_ROUTES.undoCleanup, async ({ caller, params, accept }) => {
    const { cleanup, isRunning } = requireCleanup(await useCases.undoCleanup(caller.userId, params.id));
    if (isRunning) accept();
    return cleanup;
  });
};

const requireCleanup = <T>(found: T | null): T => {
  if (found === null) throw createProblem('not_found', 'There is no such cleanup of yours.');
  return found;
};
