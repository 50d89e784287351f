import { API_ROUTES, EXPORT_FILE_NAME } from '@mailsweep/contracts';
import type { Router } from 'express';
import { isToken } from '../../auth/authenticate.ts';
import { invalidField } from '../../http/create-problem.ts';
import { accountDeleted } from '../../http/translate-error.ts';
import type { SecurityLog } from '../../security-log.ts';
import type { UseCases } from '../../use-cases.ts';
import type { BindRoute } from '../bind-route.ts';

/** `GET /api/v1/me`, the download of everything stored, and the erasure of it. */
export const addAccountRoutes = (
  router: Router,
  bind: BindRoute,
  { useCases, securityLog }: { useCases: UseCases; securityLog: SecurityLog },
): void => {
  const requireAccount = async (userId: string) => {
    const account = await useCases.findAccount(userId);
    if (account === null) throw accountDeleted();
    return account;
  };

  bind(router, API_ROUTES.getMe, async ({ caller }) => {
    const { userId, expiresAt } = caller;
    const account = await requireAccount(userId);
    const me = { userId, ...account, sessionExpiresAt: expiresAt.toISOString() };
    if (!isToken(caller)) return me;
    const { id, name, scope, requiresConfirmation } = caller;
    return { ...me, token: { id, name, scope, requiresConfirmation } };
  });

  bind.download(
    router,
    API_ROUTES.exportMe,
    EXPORT_FILE_NAME,
    async function* ({ caller, requestId, readClient }) {
      const { userId, id: sessionId } = caller;
      const entry = { userId, sessionId, event: 'data_exported', ...readClient() } as const;
      // No data leaves without a trace: should the entry fail, so does the export.
      if (!(await useCases.insertAuditEntry(entry))) throw accountDeleted();
      securityLog('data_exported', { userId, sessionId, requestId });
      yield* useCases.exportPersonalData(userId);
    },
  );

  bind(router, API_ROUTES.eraseMe, async ({ caller, body, requestId, clearSessionCookie }) => {
    const { userId, id: sessionId } = caller;
    const { email } = await requireAccount(userId);
    if (!isConfirmation(body.confirm, email, userId)) {
      throw invalidField('body', 'confirm', 'is not the email address of this account');
    }
    const { isGrantRevoked, isQueueCleared } = await useCases.eraseUser(userId);
    securityLog('data_erased', { userId, sessionId, requestId, isGrantRevoked, isQueueCleared });
    clearSessionCookie();
    return undefined;
  });
};

/** An account without an address is confirmed by its id. */
const isConfirmation = (text: string, email: string, userId: string): boolean =>
  text.trim().toLowerCase() === (email === '' ? userId : email.toLowerCase());

/** What the user chose for every device, and what the watch is at. */
export const addPreferencesRoutes = (router: Router, bind: BindRoute, useCases: UseCases): void => {
  bind(router, API_ROUTES.getPreferences, ({ caller }) => useCases.findPreferences(caller.userId));

  bind(router, API_ROUTES.updatePreferences, ({ caller, body, readClient }) =>
    useCases.updatePreferences(caller.userId, body, readClient()),
  );

  bind(router, API_ROUTES.getWatch, ({ caller }) => useCases.findWatch(caller.userId));
};
