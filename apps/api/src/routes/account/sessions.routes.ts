import { API_ROUTES } from '@mailsweep/contracts';
import { ProblemError } from '@mailsweep/service-kit';
import type { Router } from 'express';
import type { SignOut } from '../../auth/sign-out.ts';
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

  bind(router, API_ROUTES.listSessions, ({ session, query }) => useCases.listLiveSessions(session, query));

  bind(router, API_ROUTES.revokeSession, async (input) => {
    const { session, params, requestId, readClient, clearSessionCookie } = input;
    const { id: sessionId, userId } = session;
    const revokedSessionId = params.id.toLowerCase();
    if (revokedSessionId === sessionId) {
      await signOut.current(session, readClient());
      securityLog('signed_out', { userId, sessionId, requestId });
      clearSessionCookie();
      return undefined;
    }
    if (!(await signOut.other(session, revokedSessionId, readClient()))) {
      throw new ProblemError(404, 'not_found', 'There is no such live session of yours.');
    }
    securityLog('session_revoked', { userId, sessionId, revokedSessionId, requestId });
    return undefined;
  });

  bind(router, API_ROUTES.listAuditEntries, ({ session, query }) =>
    useCases.listAuditEntries(session.userId, query),
  );
};
