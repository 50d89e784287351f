import { API_ROUTES } from '@mailsweep/contracts';
import type { Router } from 'express';
import type { PersonalTokens } from '../../auth/personal-tokens/personal-tokens.ts';
import { createProblem } from '../../http/create-problem.ts';
import type { SecurityLog } from '../../security-log.ts';
import type { BindRoute } from '../bind-route.ts';

/** The personal access tokens of the user. */
export const addTokenRoutes = (
  router: Router,
  bind: BindRoute,
  { personalTokens, securityLog }: { personalTokens: PersonalTokens; securityLog: SecurityLog },
): void => {
  bind(router, API_ROUTES.listTokens, ({ caller, query }) => personalTokens.list(caller.userId, query));

  bind(router, API_ROUTES.createToken, async ({ caller, body, requestId, readClient }) => {
    const token = await personalTokens.create(caller, body, readClient());
    const { userId, id: sessionId } = caller;
    securityLog('token_created', { userId, sessionId, changedTokenId: token.id, requestId });
    return token;
  });

  bind(router, API_ROUTES.renameToken, async ({ caller, params, body, readClient }) => {
    const token = await personalTokens.rename(caller, { ...params, ...body }, readClient());
    if (token === null) throw noSuchToken();
    return token;
  });

  bind(router, API_ROUTES.revokeToken, async ({ caller, params, requestId, readClient }) => {
    const changedTokenId = params.id.toLowerCase();
    if (!(await personalTokens.revoke(caller, changedTokenId, readClient()))) throw noSuchToken();
    const { userId, id: sessionId } = caller;
    securityLog('token_revoked', { userId, sessionId, changedTokenId, requestId });
    return undefined;
  });
};

const noSuchToken = () => createProblem('not_found', 'There is no such token of yours.');
