import { API_ROUTES } from '@mailsweep/contracts';
import type { Mailsweep } from '@mailsweep/core';
import type { Router } from 'express';
import { isToken, toAuditIds } from '../../auth/authenticate.ts';
import { createProblem } from '../../http/problems.ts';
import type { QueryQueue } from '../../limits/query-queue.ts';
import type { BindRoute } from '../bind-route.ts';

/**
 * Planning and running cleanups.
 *
 * @param bindToMailbox - binds routes that wait for Gmail
 */
export const addCleanupRoutes = (
  router: Router,
  { bind, bindToMailbox }: { bind: BindRoute; bindToMailbox: BindRoute },
  { mailsweep, heavyQueue }: { mailsweep: Mailsweep; heavyQueue: QueryQueue },
): void => {
  bindToMailbox(router, API_ROUTES.createCleanup, ({ caller, body }) =>
    heavyQueue.run(caller.userId, () =>
      mailsweep.cleanups.plan(caller.userId, body, { plannedBy: toAuditIds(caller).tokenId ?? null }),
    ),
  );

  bind(router, API_ROUTES.listCleanups, ({ caller, query }) => mailsweep.cleanups.list(caller.userId, query));

  bind(router, API_ROUTES.getCleanup, async ({ caller, params, setETag }) => {
    const cleanup = requireCleanup(await mailsweep.cleanups.find(caller.userId, params.id));
    // A client that follows a cleanup asks every second: the sample is read only for a response.
    const sample = setETag(cleanup) ? [] : await mailsweep.cleanups.listSample(caller.userId, cleanup.id);
    return { ...cleanup, sample };
  });

  bind(router, API_ROUTES.listCleanupEmails, async ({ caller, params, query }) =>
    requireCleanup(await mailsweep.cleanups.listEmails(caller.userId, params.id, query)),
  );

  bind(router, API_ROUTES.runCleanup, async ({ caller, params, body, accept }) => {
    const isAsking = body.requiresConfirmation === true;
    const token = isToken(caller)
      ? { name: caller.name, requiresConfirmation: caller.requiresConfirmation || isAsking }
      : undefined;
    const cleanup = requireCleanup(await mailsweep.cleanups.control(caller.userId, params.id, 'run', token));
    if (cleanup.state === 'awaiting_confirmation') accept();
    return cleanup;
  });

  for (const command of ['pause', 'resume', 'cancel'] as const) {
    bind(router, API_ROUTES[`${command}Cleanup`], async ({ caller, params }) =>
      requireCleanup(await mailsweep.cleanups.control(caller.userId, params.id, command)),
    );
  }

  bindToMailbox(router, API_ROUTES.undoCleanup, async ({ caller, params, accept }) => {
    const { cleanup, isRunning } = requireCleanup(
      await heavyQueue.run(caller.userId, () => mailsweep.cleanups.undo(caller.userId, params.id)),
    );
    if (isRunning) accept();
    return cleanup;
  });
};

const requireCleanup = <T>(found: T | null): T => {
  if (found === null) throw createProblem('not_found', 'There is no such cleanup of yours.');
  return found;
};

/**
 * The user's rules: what they are, and running and undoing them.
 *
 * @param bindToMailbox - binds routes that wait for Gmail
 */
export const addRuleRoutes = (
  router: Router,
  { bind, bindToMailbox }: { bind: BindRoute; bindToMailbox: BindRoute },
  { mailsweep, heavyQueue }: { mailsweep: Mailsweep; heavyQueue: QueryQueue },
): void => {
  bind(router, API_ROUTES.listRules, ({ caller, query }) => mailsweep.rules.list(caller.userId, query));

  bind(router, API_ROUTES.createRule, ({ caller, body, readClient }) =>
    mailsweep.rules.create(caller.userId, body, readClient()),
  );

  // Before the route of a rule, whose id it would be.
  bind(router, API_ROUTES.exportRules, async ({ caller, query }) =>
    requireRule(await mailsweep.rules.export(caller.userId, query)),
  );

  bind(router, API_ROUTES.getRule, async ({ caller, params }) =>
    requireRule(await mailsweep.rules.find(caller.userId, params.id)),
  );

  bind(router, API_ROUTES.updateRule, async ({ caller, params, body, readClient }) => {
    const rule = { userId: caller.userId, id: params.id };
    const client = readClient();
    return requireRule(await mailsweep.rules.update(rule, body, client));
  });

  bind(router, API_ROUTES.deleteRule, async ({ caller, params, readClient }) => {
    const rule = { userId: caller.userId, id: params.id };
    const client = readClient();
    if (!(await mailsweep.rules.delete(rule, client))) requireRule(null);
    return undefined;
  });

  bindToMailbox(router, API_ROUTES.previewRule, async ({ caller, params }) => {
    const { userId } = caller;
    const tokenId = toAuditIds(caller).tokenId ?? null;
    return requireRule(
      await heavyQueue.run(userId, () => mailsweep.rules.preview(userId, params.id, tokenId)),
    );
  });

  bindToMailbox(router, API_ROUTES.runRule, async ({ caller: { userId }, params }) =>
    requireRule(await heavyQueue.run(userId, () => mailsweep.rules.run(userId, params.id))),
  );

  bindToMailbox(router, API_ROUTES.undoRule, async ({ caller, params, accept }) => {
    const { rule, isRunning } = requireRule(
      await heavyQueue.run(caller.userId, () => mailsweep.rules.undo(caller.userId, params.id)),
    );
    if (isRunning) accept();
    return rule;
  });
};

const requireRule = <T>(found: T | null): T => {
  if (found === null) throw createProblem('not_found', 'There is no such rule of yours.');
  return found;
};
