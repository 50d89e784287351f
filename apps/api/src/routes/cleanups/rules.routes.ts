import { API_ROUTES } from '@mailsweep/contracts';
import { ProblemError } from '@mailsweep/service-kit';
import type { Router } from 'express';
import type { UseCases } from '../../use-cases.ts';
import type { BindRoute } from '../bind-route.ts';

/**
 * The user's rules: what they are, and running and undoing them.
 *
 * @param bindToMailbox - binds routes that wait for Gmail
 */
export const addRuleRoutes = (
  router: Router,
  { bind, bindToMailbox }: { bind: BindRoute; bindToMailbox: BindRoute },
  useCases: UseCases,
): void => {
  bind(router, API_ROUTES.listRules, ({ session, query }) => useCases.listRules(session.userId, query));

  bind(router, API_ROUTES.createRule, ({ session, body, readClient }) =>
    useCases.createRule(session.userId, body, { sessionId: session.id, ...readClient() }),
  );

  bind(router, API_ROUTES.getRule, async ({ session, params }) =>
    requireRule(await useCases.findRule(session.userId, params.id)),
  );

  bind(router, API_ROUTES.updateRule, async ({ session, params, body, readClient }) => {
    const rule = { userId: session.userId, id: params.id };
    const client = { sessionId: session.id, ...readClient() };
    return requireRule(await useCases.updateRule(rule, body, client));
  });

  bind(router, API_ROUTES.deleteRule, async ({ session, params, readClient }) => {
    const rule = { userId: session.userId, id: params.id };
    const client = { sessionId: session.id, ...readClient() };
    if (!(await useCases.deleteRule(rule, client))) requireRule(null);
    return undefined;
  });

  bindToMailbox(router, API_ROUTES.previewRule, async ({ session, params }) =>
    requireRule(await useCases.previewRule(session.userId, params.id)),
  );

  bindToMailbox(router, API_ROUTES.runRule, async ({ session, params }) =>
    requireRule(await useCases.runRule(session.userId, params.id)),
  );

  bindToMailbox(router, API_ROUTES.undoRule, async ({ session, params, accept }) => {
    const { rule, isRunning } = requireRule(await useCases.undoRule(session.userId, params.id));
    if (isRunning) accept();
    return rule;
  });
};

const requireRule = <T>(found: T | null): T => {
  if (found === null) throw new ProblemError(404, 'not_found', 'There is no such rule of yours.');
  return found;
};
