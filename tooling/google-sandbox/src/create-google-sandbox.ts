import { setTimeout as delay } from 'node:timers/promises';
import express, { type Request, type Response } from 'express';
import { createAdminRouter } from './admin.routes.ts';
import { type BehaviourChange, type BehaviourSettings, createBehaviourSettings } from './behaviour.ts';
import { handleBatch } from './gmail/batch.ts';
import { createGmailApi, type GmailApi } from './gmail/gmail-api.ts';
import { openMailbox } from './gmail/mailbox.ts';
import { createHistoryJournal } from './history/history-journal.ts';
import { createFaults, type FaultEffect, type Faults } from './limits/faults.ts';
import { createQuota, createQuotaUsage, priceOf, type Quota } from './limits/quota.ts';
import { openMailboxChanges } from './mailbox/mailbox-changes.ts';
import type { LateMailbox, MailboxSeed } from './mailbox/mailbox-seed.ts';
import { googleError, insufficientScope, invalidCredentials, notFound } from './protocol/google-errors.ts';
import { createRequestLog, type RequestLog } from './request-log.ts';
import type { Incoming, Outcome } from './response.ts';
import { createPageTokens } from './search/page-tokens.ts';
import { createOauth, type OauthClient, readBearer } from './sign-in/oauth.ts';
import { createTokenMint, type TokenMint } from './sign-in/tokens.ts';

/** Allows everything. */
const FULL_SCOPE = 'https://mail.google.com/';
/** Allows all but deleting mail for good: users.messages.insert and import as well (their pages, "Authorization scopes"). */
const MODIFY_SCOPE = 'https://www.googleapis.com/auth/gmail.modify';
const READ_SCOPE = 'https://www.googleapis.com/auth/gmail.readonly';

/** users.messages.delete, users.messages.batchDelete and users.threads.delete. */
const DELETION_PATH = /\/(messages|threads)\/[^/]+$/;

/**
 * Lets calls through to the Gmail API as Google would: a good token, a scope that allows it, quota left. Carries
 * out ordered faults, and writes down what was asked.
 */
const createGmailGate = (options: {
  tokens: TokenMint;
  faults: Faults;
  quota: Quota;
  log: RequestLog;
  behaviour: BehaviourSettings;
  latencyMs: number;
  handleCall: (email: string, request: Incoming, effect: FaultEffect) => Promise<Outcome>;
}) => {
  const { tokens, faults, quota, log, behaviour, latencyMs, handleCall } = options;

  return {
    async handle(request: Incoming, isInBatch: boolean): Promise<Outcome> {
      const { method, path } = request;
      const call = priceOf(method, path);
      let units = 0;

      const handleWithinQuota = async (email: string, effect: FaultEffect): Promise<Outcome> => {
        const refusal = quota.enter(email, call);
        if (refusal?.limit === 'concurrency') return tooManyAtOnce();
        if (refusal?.limit === 'units') {
          return quotaExceeded(behaviour.now.retryAfterHeader ? refusal.retryAfterMs : undefined);
        }
        try {
          units = call.units;
          if (latencyMs > 0) await delay(latencyMs);
          return await handleCall(email, request, effect);
        } finally {
          quota.leave(email);
        }
      };

      const outcome = await faults.around(request, async (effect) => {
        const grant = tokens.read('access', readBearer(request.headers.authorization));
        if (grant === null) return invalidCredentials();
        if (!allows(grant.scope, request)) return insufficientScope();
        return await handleWithinQuota(grant.email, effect);
      });
      log.add(request, outcome, { units, isInBatch });
      return outcome;
    },
  };
};

const allows = (scope: string, { method, path }: Incoming): boolean => {
  const granted = scope.split(' ');
  if (granted.includes(FULL_SCOPE)) return true;
  const isDeletion = path.endsWith('/batchDelete') || (method === 'DELETE' && DELETION_PATH.test(path));
  if (granted.includes(MODIFY_SCOPE)) return !isDeletion;
  return method === 'GET' && granted.includes(READ_SCOPE);
};

const tooManyAtOnce = () =>
  googleError(429, 'rateLimitExceeded', 'Too many concurrent requests for user', { domain: 'usageLimits' });

/** As mxngls/gmail-cleaner#5 and elie222/inbox-zero#480 show it. */
const quotaExceeded = (waitMs: number | undefined) =>
  googleError(
    403,
    'rateLimitExceeded',
    "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user' of service 'gmail.googleapis.com' for consumer 'project_number:481516234200'.",
    {
      domain: 'usageLimits',
      ...(waitMs !== undefined && { headers: { 'retry-after': String(Math.ceil(waitMs / 1_000)) } }),
    },
  );

const MAX_BODY = '40mb';
const BATCH_PATH = /^\/batch(\/gmail\/v1)?$/;
const GMAIL_PATH = /^(\/upload)?\/gmail\/v1\//;

export interface GoogleSandboxOptions {
  /** Where browsers and the API reach the sandbox; the issuer of its ID tokens. */
  publicUrl: string;
  clients: readonly OauthClient[];
  /** The mailboxes as they are when first filled at the given instant. */
  seedMailboxes: (seededAtMs: number) => MailboxSeed[];
  /** A large mailbox, which is made when its user first signs in. */
  lateMailbox?: LateMailbox | undefined;
  /** The mailbox of someone whom the sign-in page does not list, made when they first sign in; undefined refuses them. */
  copyMailbox?: (email: string) => LateMailbox | undefined;
  /** Seals access and refresh tokens; 32 bytes. */
  tokenKey: Buffer;
  /** File for what happened in the mailboxes and what users allowed; undefined stores it in memory only. */
  changesFile?: string | undefined;
  accessTokenTtlSeconds: number;
  /** Quota units per user in any minute; 0 sets no limit. */
  quotaUnitsPerMinute: number;
  /** Calls of one user at a time; 0 sets no limit. */
  concurrentCalls: number;
  latencyMs: number;
  /** What differs from the usual behaviour (behaviour.ts). */
  behaviour?: BehaviourChange | undefined;
  /** Where the first page of a sign-in sends users who want to connect a mailbox of their own. */
  setupUrl?: string | undefined;
  nowMs?: () => number;
}

/** Google for offline work: OAuth 2.0, OpenID Connect and Gmail, with seeded mailboxes and faults to order. */
export const createGoogleSandbox = (options: GoogleSandboxOptions) => {
  const { nowMs = Date.now, clients, latencyMs } = options;
  const behaviour = createBehaviourSettings(options.behaviour);
  const changes = openMailboxChanges(options.changesFile, nowMs);
  /** The seeded mailboxes as they are now, whatever the history shows of that. */
  const readMailboxes = (): MailboxSeed[] =>
    options.seedMailboxes(changes.now.seededAtMs).map((mailbox) => changes.applyTo(mailbox));
  const mailboxes = readMailboxes();
  const { lateMailbox, copyMailbox } = options;
  const users = [...mailboxes, ...(lateMailbox ? [lateMailbox] : [])].map(({ user }) => user);
  const tokens = createTokenMint({
    key: options.tokenKey,
    accessTokenTtlSeconds: options.accessTokenTtlSeconds,
    refreshTokenTtlSeconds: () => behaviour.now.refreshTokenTtlSeconds,
    revokedGrants: {
      has: (grantId) => Object.hasOwn(changes.now.revokedGrants, grantId),
      add: (grantId) => changes.note({ revokedGrants: { [grantId]: true } }),
    },
    nowMs,
  });
  const userOf = ({ headers, body }: Incoming): string | undefined =>
    tokens.read('access', readBearer(headers.authorization))?.email ??
    tokens.read('refresh', new URLSearchParams(body).get('refresh_token') ?? '')?.email;
  const faults = createFaults({ nowMs, userOf });
  const log = createRequestLog({ nowMs, userOf });
  const usage = createQuotaUsage();
  const oauth = createOauth({
    issuer: options.publicUrl,
    clients,
    users,
    findUser: (email) =>
      users.find((user) => user.email === email.toLowerCase()) ?? copyMailbox?.(email.toLowerCase())?.user,
    tokens,
    changes,
    behaviour,
    setupUrl: options.setupUrl,
    onSignIn: (email) => void apiOf(email),
  });
  const pageTokens = createPageTokens(options.tokenKey, behaviour);
  const journal = createHistoryJournal({ behaviour, pageTokens, changes, nowMs });
  const apis = new Map<string, GmailApi>();
  const openApi = (seed: MailboxSeed): GmailApi => {
    const mailbox = openMailbox(seed, { journal, behaviour });
    const api = createGmailApi({ mailbox, journal, behaviour, changes, pageTokens, nowMs });
    apis.set(seed.user.email, api);
    return api;
  };
  for (const mailbox of mailboxes) openApi(mailbox);
  const apiOf = (email: string): GmailApi | undefined => {
    const late = lateMailbox?.user.email === email ? lateMailbox : copyMailbox?.(email);
    return apis.get(email) ?? (late && openApi(changes.applyTo(late.write(changes.now.seededAtMs))));
  };
  const gate = createGmailGate({
    tokens,
    faults,
    quota: createQuota({
      unitsPerMinute: options.quotaUnitsPerMinute,
      concurrentCalls: options.concurrentCalls,
      usage,
      nowMs,
    }),
    log,
    behaviour,
    latencyMs,
    handleCall: async (email, request, effect) => (await apiOf(email)?.handle(request, effect)) ?? notFound(),
  });

  const handleOutsideGmail = async (request: Incoming): Promise<Outcome> => {
    const outcome = await faults.around(request, async () => {
      // The calls of a batch are in flight concurrently.
      if (BATCH_PATH.test(request.path)) return await handleBatch(request, (part) => gate.handle(part, true));
      if (latencyMs > 0) await delay(latencyMs);
      return oauth.handle(request);
    });
    log.add(request, outcome, { units: 0, isInBatch: false });
    return outcome;
  };

  const handle = (request: Incoming): Promise<Outcome> =>
    GMAIL_PATH.test(request.path) ? gate.handle(request, false) : handleOutsideGmail(request);

  const app = express();
  app.disable('x-powered-by');
  app.use('/sandbox', createAdminRouter({ faults, behaviour, changes, log, usage }));
  app.use(express.text({ type: () => true, limit: MAX_BODY }));
  app.use(async (request, response) => send(response, await handle(toIncoming(request))));
  return { app, handle, readMailboxes };
};

const toIncoming = (request: Request): Incoming => {
  const { pathname, searchParams } = new URL(request.originalUrl, 'http://sandbox');
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : [],
  );
  return {
    method: request.method,
    path: pathname,
    query: searchParams,
    headers: Object.fromEntries(headers),
    body: typeof request.body === 'string' ? request.body : '',
  };
};

const send = (response: Response, outcome: Outcome): void => {
  if (outcome === 'reset') response.socket?.resetAndDestroy();
  // A call that hangs is left open; its connection ends with the client or with us.
  if (typeof outcome === 'string') return;
  // Node's own writing: Express would add a charset and an ETag to what Google sends without.
  response.writeHead(outcome.status, outcome.headers).end(outcome.body);
};
