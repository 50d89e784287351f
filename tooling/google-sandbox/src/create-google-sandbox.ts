import { setTimeout as delay } from 'node:timers/promises';
import express, { type Request, type Response } from 'express';
import { createAdminRouter } from './admin.routes.ts';
import { type BehaviourChange, createBehaviourSettings } from './behaviour.ts';
import { handleBatch } from './gmail/batch.ts';
import { createGmailApi, type GmailApi } from './gmail/gmail-api.ts';
import { createGmailGate } from './gmail/gmail-gate.ts';
import { openMailbox } from './gmail/mailbox.ts';
import { createHistoryJournal } from './history/history-journal.ts';
import { createFaults } from './limits/faults.ts';
import { createQuota, createQuotaUsage } from './limits/quota.ts';
import { openMailboxChanges } from './mailbox/mailbox-changes.ts';
import type { LateMailbox, MailboxSeed } from './mailbox/mailbox-seed.ts';
import { notFound } from './protocol/google-errors.ts';
import { createRequestLog } from './request-log.ts';
import type { Incoming, Outcome } from './response.ts';
import { createPageTokens } from './search/page-tokens.ts';
import { createOauth, type OauthClient, readBearer } from './sign-in/oauth.ts';
import { createTokenMint } from './sign-in/tokens.ts';

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
