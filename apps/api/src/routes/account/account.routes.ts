import { API_ROUTES, EXPORT_FILE_NAME, type OwnMailbox } from '@mailsweep/contracts';
import type { Mailsweep } from '@mailsweep/core';
import { GMAIL, type Providers } from '@mailsweep/mail/provider-connection';
import type { Router } from 'express';
import { type Caller, isToken } from '../../auth/authenticate.ts';
import type { AuthorizationServer } from '../../auth/authorization-server/authorization-server.ts';
import type { PersonalTokens } from '../../auth/personal-tokens/personal-tokens.ts';
import type { Sessions } from '../../auth/sessions.ts';
import { describeMailbox, type FindAccount } from '../../auth/sign-in/describe-provider.ts';
import { createProblem, invalidField } from '../../http/problems.ts';
import { accountDeleted } from '../../http/translate-error.ts';
import type { QueryQueue } from '../../limits/query-queue.ts';
import type { SecurityLog } from '../../security-log.ts';
import type { BindRoute } from '../bind-route.ts';

/** `GET /api/v1/me`, the hosts that were called, the download of everything stored, and the erasure of it. */
export const addAccountRoutes = (
  router: Router,
  bind: BindRoute,
  dependencies: {
    mailsweep: Mailsweep;
    outgoingCalls: { flush(): Promise<void> };
    findAccount: FindAccount;
    heavyQueue: QueryQueue;
    securityLog: SecurityLog;
  },
): void => {
  const { mailsweep, outgoingCalls, findAccount, heavyQueue, securityLog } = dependencies;
  const requireAccount = async (userId: string) => {
    const account = await findAccount(userId);
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

  bind(router, API_ROUTES.listOutgoingCalls, async ({ caller }) => {
    await outgoingCalls.flush();
    return mailsweep.account.listOutgoingCalls(caller.userId);
  });

  bind.download(
    router,
    API_ROUTES.exportMe,
    EXPORT_FILE_NAME,
    async function* ({ caller, requestId, readClient }) {
      const { userId, id: sessionId } = caller;
      const entry = { userId, sessionId, event: 'data_exported', ...readClient() } as const;
      // No data leaves without a trace: should the entry fail, so does the export.
      if (!(await mailsweep.account.insertAuditEntry(entry))) throw accountDeleted();
      securityLog('data_exported', { userId, sessionId, requestId });
      const parts = mailsweep.account.exportData(userId);
      // Each part in turn with what other users ask, and none for a client that has left.
      for (;;) {
        const part = await heavyQueue.run(userId, () => parts.next());
        if (part.done) return;
        yield part.value;
      }
    },
  );

  bind(router, API_ROUTES.eraseMe, async ({ caller, body, requestId, clearSessionCookie }) => {
    const { userId, id: sessionId } = caller;
    const { email } = await requireAccount(userId);
    if (!isConfirmation(body.confirm, email, userId)) {
      throw invalidField('body', 'confirm', 'is not the email address of this account');
    }
    const { isGrantRevoked, isQueueCleared } = await mailsweep.account.erase(userId);
    securityLog('data_erased', { userId, sessionId, requestId, isGrantRevoked, isQueueCleared });
    clearSessionCookie();
    return undefined;
  });
};

/** An account without an address is confirmed by its id. */
const isConfirmation = (text: string, email: string, userId: string): boolean =>
  text.trim().toLowerCase() === (email === '' ? userId : email.toLowerCase());

/** The mailboxes of the owner who is signed in. */
export const addOwnMailboxRoutes = (
  router: Router,
  bind: BindRoute,
  { mailsweep: { mailboxes }, providers }: { mailsweep: Mailsweep; providers: Providers },
): void => {
  const list = async (caller: Caller): Promise<(OwnMailbox & { userId: string })[]> => {
    const rows = await mailboxes.list(caller);
    return rows.map(({ provider: key, ...row }) => ({
      ...row,
      provider: describeMailbox(key ?? GMAIL, providers.get(key ?? GMAIL)).provider,
      current: row.userId === caller.userId,
    }));
  };
  const show = ({ userId: _, ...mailbox }: OwnMailbox & { userId: string }): OwnMailbox => mailbox;
  const require = async (caller: Caller, number: number) => {
    const mailbox = (await list(caller)).find((each) => each.number === number);
    if (mailbox === undefined) throw createProblem('not_found', 'There is no such mailbox of yours.');
    return mailbox;
  };

  bind(router, API_ROUTES.listMailboxes, async ({ caller }) => ({ data: (await list(caller)).map(show) }));

  bind(router, API_ROUTES.updateMailbox, async ({ caller, params, body }) => {
    const { userId } = await require(caller, params.number);
    await mailboxes.update(userId, body);
    return show(await require(caller, params.number));
  });

  bind(router, API_ROUTES.removeMailbox, async ({ caller, params, readClient }) => {
    const { userId } = await require(caller, params.number);
    await mailboxes.remove(userId, readClient());
    return undefined;
  });

  bind(router, API_ROUTES.copyFromMailbox, async ({ caller, params, readClient }) => {
    const { userId } = await require(caller, params.number);
    return mailboxes.copy(userId, caller.userId, readClient());
  });
};

/** What the user chose for every device, and what the watch is at. */
export const addPreferencesRoutes = (router: Router, bind: BindRoute, mailsweep: Mailsweep): void => {
  bind(router, API_ROUTES.getPreferences, ({ caller }) => mailsweep.preferences.find(caller.userId));

  bind(router, API_ROUTES.updatePreferences, ({ caller, body, readClient }) =>
    mailsweep.preferences.update(caller.userId, body, readClient()),
  );

  bind(router, API_ROUTES.getWatch, ({ caller }) => mailsweep.preferences.findWatch(caller.userId));
};

/** The sessions of the user, the end of any one of them, and the audit trail. */
export const addSessionRoutes = (
  router: Router,
  bind: BindRoute,
  dependencies: { mailsweep: Mailsweep; sessions: Sessions; securityLog: SecurityLog },
): void => {
  const { mailsweep, sessions, securityLog } = dependencies;

  bind(router, API_ROUTES.listSessions, ({ caller, query }) => sessions.list(caller, query));

  bind(router, API_ROUTES.revokeSession, async (input) => {
    const { caller, params, requestId, readClient, clearSessionCookie } = input;
    const { id: sessionId, userId } = caller;
    const revokedSessionId = params.id.toLowerCase();
    if (revokedSessionId === sessionId) {
      await sessions.endCurrent(caller, readClient());
      securityLog('signed_out', { userId, sessionId, requestId });
      clearSessionCookie();
      return undefined;
    }
    if (!(await sessions.endOther(caller, revokedSessionId, readClient()))) {
      throw createProblem('not_found', 'There is no such live session of yours.');
    }
    securityLog('session_revoked', { userId, sessionId, revokedSessionId, requestId });
    return undefined;
  });

  bind(router, API_ROUTES.listAuditEntries, ({ caller, query }) =>
    mailsweep.account.listAuditEntries(caller.userId, query),
  );
};

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

/** What the page needs on which a user lets a program act for them. */
export const addAuthorizationRoutes = (
  router: Router,
  bind: BindRoute,
  authorizationServer: AuthorizationServer,
): void => {
  bind(router, API_ROUTES.getAuthorizationRequest, async ({ caller, params }) =>
    found(await authorizationServer.show(caller, params.id)),
  );

  bind(router, API_ROUTES.allowAuthorizationRequest, async ({ caller, params, body }) =>
    found(await authorizationServer.allow(caller, params.id, body)),
  );

  bind(router, API_ROUTES.denyAuthorizationRequest, async ({ caller, params }) =>
    found(await authorizationServer.deny(caller.userId, params.id)),
  );
};

const found = <T>(result: T | null): T => {
  if (result !== null) return result;
  throw createProblem('not_found', 'There is no such request for you to decide: it is over.');
};

/** The browsers that notifications of the user are sent to. */
export const addPushRoutes = (router: Router, bind: BindRoute, mailsweep: Mailsweep): void => {
  bind(router, API_ROUTES.getPushKey, async () => ({ key: mailsweep.notifications.pushKey }));

  bind(router, API_ROUTES.listPushSubscriptions, ({ caller, query }) =>
    mailsweep.notifications.listSubscriptions(caller, query),
  );

  bind(router, API_ROUTES.subscribeToPush, ({ caller, body, readClient }) =>
    mailsweep.notifications.subscribe(caller, body, readClient().browser),
  );

  bind(router, API_ROUTES.unsubscribeFromPush, async ({ caller, params }) => {
    await mailsweep.notifications.unsubscribe(caller, params.id);
    return undefined;
  });

  bind(router, API_ROUTES.sendTestNotification, async ({ caller }) => {
    await mailsweep.notifications.sendTest(caller.userId);
    return undefined;
  });
};
