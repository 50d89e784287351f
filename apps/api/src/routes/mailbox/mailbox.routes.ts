import { API_ROUTES, type Scan } from '@mailsweep/contracts';
import type { Mailsweep } from '@mailsweep/core';
import type { Router } from 'express';
import { createProblem, invalidField } from '../../http/problems.ts';
import type { QueryQueue } from '../../limits/query-queue.ts';
import type { BindRoute } from '../bind-route.ts';

/** `GET /api/v1/emails`, `GET /api/v1/mailbox`, `GET /api/v1/mailbox/survey`, `POST /api/v1/emails/lookup`, `GET /api/v1/conversations/{threadId}` and `POST /api/v1/inbox/actions`. */
export const addMailboxRoutes = (router: Router, bind: BindRoute, mailsweep: Mailsweep): void => {
  bind(router, API_ROUTES.listEmails, ({ caller, query }) => mailsweep.inbox.list(caller.userId, query));

  bind(router, API_ROUTES.getMailboxOverview, ({ caller, query }) =>
    mailsweep.inbox.count(caller.userId, query),
  );

  bind(router, API_ROUTES.getSurvey, ({ caller }) => mailsweep.inbox.getSurvey(caller.userId));

  bind(router, API_ROUTES.lookUpEmails, ({ caller, body }) => mailsweep.inbox.lookUp(caller.userId, body));

  bind(router, API_ROUTES.readConversation, ({ caller, params }) =>
    mailsweep.inbox.readConversation(caller.userId, params.threadId),
  );

  bind(router, API_ROUTES.executeInboxAction, ({ caller, body, idempotency }) =>
    mailsweep.inbox.act(caller.userId, body, idempotency),
  );
};

/** The senders of the mailbox, their email, its suggestions, and what the user did with it. */
export const addSenderRoutes = (
  router: Router,
  bind: BindRoute,
  dependencies: {
    mailsweep: Pick<Mailsweep, 'senders' | 'suggestions' | 'history' | 'unsubscribing'>;
    queryQueue: QueryQueue;
  },
): void => {
  const { mailsweep, queryQueue } = dependencies;

  bind(router, API_ROUTES.listSenders, ({ caller: { userId }, query }) => {
    const { by = 'address', group, unsubscribe } = query;
    if (by !== 'address' && (group ?? unsubscribe) !== undefined) {
      throw invalidField('query', 'by', 'does not go with `group` or `unsubscribe`');
    }
    return queryQueue.run(userId, () => mailsweep.senders.list(userId, query));
  });

  const findSender = async (userId: string, reference: Parameters<Mailsweep['senders']['find']>[1]) => {
    const sender = await queryQueue.run(userId, () => mailsweep.senders.find(userId, reference));
    if (sender === null) throw createProblem('not_found', 'No email of this sender is left.');
    return sender;
  };

  bind(router, API_ROUTES.getSender, ({ caller, params }) =>
    findSender(caller.userId, { senderId: params.id }),
  );

  bind(router, API_ROUTES.getSenderOfEmail, ({ caller, params }) =>
    findSender(caller.userId, { emailId: params.id }),
  );

  bind(router, API_ROUTES.listSenderEmails, ({ caller: { userId }, params, query }) =>
    queryQueue.run(userId, () => mailsweep.senders.listEmails(userId, params.id, query)),
  );

  bind(router, API_ROUTES.getUnsubscribe, ({ caller: { userId }, params }) =>
    mailsweep.unsubscribing.find(userId, params.id),
  );

  bind(router, API_ROUTES.unsubscribe, async ({ caller, params, body, accept, readClient }) => {
    const client = readClient();
    const unsubscribe = await mailsweep.unsubscribing.request(caller.userId, params.id, client, body.host);
    if (unsubscribe.state === 'requested') accept();
    return unsubscribe;
  });

  bind(router, API_ROUTES.listStoredSuggestions, ({ caller: { userId }, query }) =>
    queryQueue.run(userId, () => mailsweep.suggestions.list(userId, query)),
  );

  bind(router, API_ROUTES.listSuggestionGroups, ({ caller: { userId }, query }) =>
    queryQueue.run(userId, () => mailsweep.suggestions.listGroups(userId, query)),
  );

  bind(router, API_ROUTES.summarizeSuggestions, ({ caller: { userId }, query }) =>
    queryQueue.run(userId, () => mailsweep.suggestions.summarize(userId, query.period)),
  );

  bind(router, API_ROUTES.getActivity, ({ caller: { userId }, query }) =>
    queryQueue.run(userId, () => mailsweep.history.getActivity(userId, query.period)),
  );
};

export const addScanRoutes = (router: Router, bind: BindRoute, mailsweep: Mailsweep): void => {
  bind(router, API_ROUTES.startScan, async ({ caller, body, accept, idempotency }) => {
    const { scan, isNew } = await mailsweep.scans.start(caller.userId, body, idempotency);
    if (isNew) accept();
    return scan;
  });

  bind(router, API_ROUTES.listScans, ({ caller, query }) => mailsweep.scans.list(caller.userId, query));

  bind(router, API_ROUTES.getScan, async ({ caller, params, setETag }) => {
    const scan = requireScan(await mailsweep.scans.find(caller.userId, params.id));
    setETag(scan);
    return scan;
  });

  bind(router, API_ROUTES.cancelScan, async ({ caller, params }) =>
    requireScan(await mailsweep.scans.cancel(caller.userId, params.id)),
  );
};

const requireScan = (scan: Scan | null): Scan => {
  if (scan === null) throw createProblem('not_found', 'There is no such scan of yours.');
  return scan;
};

export const addProtectionRoutes = (
  router: Router,
  bind: BindRoute,
  mailsweep: Pick<Mailsweep, 'protections'>,
): void => {
  bind(router, API_ROUTES.listProtections, ({ caller, query }) =>
    mailsweep.protections.list(caller.userId, query),
  );

  bind(router, API_ROUTES.protectByName, async ({ caller, body }) => {
    const protection = await mailsweep.protections.protectByName(caller.userId, body.name);
    if (protection === null) {
      throw invalidField('body', 'name', 'must be an address or a domain');
    }
    return protection;
  });

  bind(router, API_ROUTES.protectSender, async ({ caller, params }) => {
    const protection = await mailsweep.protections.protect(caller.userId, params.id);
    if (protection === null) {
      throw createProblem('not_found', 'No email of such a sender was read in your mailbox.');
    }
    return protection;
  });

  bind(router, API_ROUTES.unprotectSender, async ({ caller, params }) => {
    await mailsweep.protections.unprotect(caller.userId, params.id);
    return undefined;
  });
};
