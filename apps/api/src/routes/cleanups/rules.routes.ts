import { API_ROUTES } from '@mailsweep/contracts';
import type { Router } from 'express';
import { createProblem } from '../../http/create-problem.ts';
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
  bind(router, API_ROUTES.listRules, ({ caller, query }) => useCases.listRules(caller.userId, query));

  bind(router, API_ROUTES.createRule, ({ caller, body, readClient }) =>
    useCases.createRule(caller.userId, body, readClient()),
  );

  bind(router, API_ROUTES.getRule, async ({ caller, params }) =>
    requireRule(await useCases.findRule(caller.userId, params.id)),
  );

  bind(router, API_ROUTES.updateRule, async ({ caller, params, body, readClient }) => {
    const rule = { userId: caller.userId, id: params.id };
    const client = readClient();
    return requireRule(await useCases.updateRule(rule, body, client));
  });

  bind(router, API_ROUTES.deleteRule, async ({ caller, params, readClient }) => {
    const rule = { userId: caller.userId, id: params.id };
    const client = readClient();
    if (!(await useCases.deleteRule(rule, client))) requireRule(null);
    return undefined;
  });

  bindToMailbox(router, API_ROUTES.previewRule, async ({ caller, params }) =>
    requireRule(await useCases.previewRule(caller.userId, params.id)),
  );

  bindToMailbox(router, API_ROUTES.runRule, async ({ caller, params }) =>
    requireRule(await useCases.runRule(caller.userId, params.id)),
  );

  bindToMailbox(router, API_ROUTES.undoRule, async ({ caller, params, accept }) => {
    const { rule, isRunning } = requireRule(await useCases.undoRule(caller.userId, params.id));
    if (isRunning) accept();
    return rule;
  });
};

const requireRule = <T>(found: T | null): T => {
  if (found === null) throw createProblem('not_found', 'There is no such rule of yours.');
  return found;
};
