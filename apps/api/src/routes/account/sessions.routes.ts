import { API_ROUTES } from '@mailsweep/contracts';
import type { Router } from 'express';
import type { SignOut } from '../../auth/sign-out.ts';
import { createProblem } from '../../http/create-problem.ts';
import type { SecurityLog } from '../../security-log.ts';
import type { UseCases } from '../../use-cases.ts';
import type { BindRoute } from '../bind-route.ts';

/** The sessions of the user, the end of any one of them, and the audit trail. */
export const addSessionRoutes = (
  router: Router,
  bind: BindRoute,
  dependencies: { useCases: UseCases; signOut: SignOut; securityLog: SecurityLog },
): void => {
  const { useCases, signOut, securityLog } = dependencies;

  bind(router, API_ROUTES.listSessions, ({ caller, query }) => useCases.listLiveSessions(caller, query));

  bind(router, API_ROUTES.revokeSession, async (input) => {
    const { caller, params, requestId, readClient, clearSessionCookie } = input;
    const { id: sessionId, userId } = caller;
    const revokedSessionId = params.id.toLowerCase();
    if (revokedSessionId === sessionId) {
      await signOut.current(caller, readClient());
      securityLog('signed_out', { userId, sessionId, requestId });
      clearSessionCookie();
      return undefined;
    }
    if (!(await signOut.other(caller, revokedSessionId, readClient()))) {
      throw createProblem('not_found', 'There is no such live session of yours.');
    }
    securityLog('session_revoked', { userId, sessionId, revokedSessionId, requestId });
    return undefined;
  });

  bind(router, API_ROUTES.listAuditEntries, ({ caller, query }) =>
    useCases.listAuditEntries(caller.userId, query),
  );
};
