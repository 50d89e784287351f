import { setTimeout as delay } from 'node:timers/promises';
import express, { type Express, type Request, type Response } from 'express';
import { createAdminRouter } from './admin.routes.ts';
import { type BehaviourChange, createBehaviourSettings } from './behaviour.ts';
import { handleBatch } from './gmail/batch.ts';
import { createGmailApi, type GmailApi } from './gmail/gmail-api.ts';
import { createGmailGate } from './gmail/gmail-gate.ts';
import { createFaults } from './limits/faults.ts';
import { createQuota, createQuotaUsage } from './limits/quota.ts';
import { type Emulator, type OauthClient, startEmulator, startEmulatorThread } from './mailbox/emulator.ts';
import { openMailboxChanges } from './mailbox/mailbox-changes.ts';
import type { LateMailbox, MailboxSeed } from './mailbox/mailbox-seed.ts';
import { createMessageFacts } from './mailbox/message-facts.ts';
import { createRequestLog } from './request-log.ts';
import type { Incoming, Outcome } from './response.ts';
import { createPageTokens } from './search/page-tokens.ts';
import { createOauth } from './sign-in/oauth.ts';
import { createTokenMint } from './sign-in/tokens.ts';

/** Largest request, attachments included. */
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
  /** Seals access and refresh tokens; 32 bytes. */
  tokenKey: Buffer;
  /** File for changes to the mail; undefined stores them in memory only. */
  changesFile?: string | undefined;
  accessTokenTtlSeconds: number;
  /** Quota units per user in any minute; 0 sets no limit. */
  quotaUnitsPerMinute: number;
  /** Calls of one user at a time; 0 sets no limit. */
  concurrentCalls: number;
  /** How long every call takes at least, in milliseconds. */
  latencyMs: number;
  /** What differs from the usual behaviour (behaviour.ts). */
  behaviour?: BehaviourChange | undefined;
  nowMs?: () => number;
}

export interface GoogleSandbox {
  app: Express;
  /** Responds to a request as the app does. */
  handle(request: Incoming): Promise<Outcome>;
  /** The seeded mailboxes as they are now, whatever the history shows of that. */
  readMailboxes(): MailboxSeed[];
  close(): Promise<void>;
}

/**
 * Google for offline work: OAuth 2.0, OpenID Connect and Gmail, with seeded mailboxes and faults to order.
 * packages/google-sandbox/README.md tells what is the emulator's and what is ours.
 */
export const createGoogleSandbox = async (options: GoogleSandboxOptions): Promise<GoogleSandbox> => {
  const { nowMs = Date.now, clients, latencyMs } = options;
  const behaviour = createBehaviourSettings(options.behaviour);
  const changes = openMailboxChanges(options.changesFile, nowMs());
  const readMailboxes = () =>
    options.seedMailboxes(changes.seededAtMs).map((mailbox) => changes.applyTo(mailbox));
  const mailboxes = readMailboxes();
  const { lateMailbox } = options;
  const late = lateMailbox ? [{ user: lateMailbox.user, labels: [], messages: [] }] : [];
  const users = [...mailboxes, ...late].map(({ user }) => user);
  const emulator = await startEmulator({ mailboxes: [...mailboxes, ...late], clients });
  const tokens = createTokenMint({
    key: options.tokenKey,
    accessTokenTtlSeconds: options.accessTokenTtlSeconds,
    refreshTokenTtlSeconds: () => behaviour.now.refreshTokenTtlSeconds,
    nowMs,
  });
  const faults = createFaults(nowMs);
  const log = createRequestLog(nowMs);
  const usage = createQuotaUsage();
  const oauth = createOauth({
    issuer: options.publicUrl,
    emulator,
    clients,
    users,
    tokens,
    behaviour,
    // A failure shows in the calls that follow.
    onSignIn: (email) => void apiOf(email).catch(() => undefined),
  });
  const pageTokens = createPageTokens(options.tokenKey, behaviour);
  const openApi = (own: Emulator, seeds: readonly MailboxSeed[]) =>
    createGmailApi({
      emulator: own,
      facts: createMessageFacts(seeds),
      changes,
      emails: seeds.map(({ user }) => user.email),
      behaviour,
      pageTokens,
      nowMs,
    });
  const gmail = await openApi(emulator, mailboxes);
  let opening: Promise<{ own: Emulator; api: GmailApi }> | undefined;
  const openLate = async ({ write }: LateMailbox) => {
    const seeds = [changes.applyTo(write(changes.seededAtMs))];
    const own = await startEmulatorThread({ mailboxes: seeds, clients: [] });
    return { own, api: await openApi(own, seeds) };
  };
  const apiOf = async (email: string): Promise<GmailApi> => {
    if (lateMailbox?.user.email !== email) return gmail;
    opening ??= openLate(lateMailbox).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return (await opening).api;
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
    handleCall: async (email, request, effect) => (await apiOf(email)).handle(email, request, effect),
  });

  const handleOutsideGmail = async (request: Incoming): Promise<Outcome> => {
    const outcome = await faults.around(request, async () => {
      // The calls of a batch are in flight concurrently.
      if (BATCH_PATH.test(request.path)) return await handleBatch(request, (part) => gate.handle(part, true));
      if (latencyMs > 0) await delay(latencyMs);
      return await oauth.handle(request);
    });
    log.add(request, outcome, { units: 0, isInBatch: false });
    return outcome;
  };

  const handle = (request: Incoming): Promise<Outcome> =>
    GMAIL_PATH.test(request.path) ? gate.handle(request, false) : handleOutsideGmail(request);

  const app = express();
  app.disable('x-powered-by');
  app.use('/sandbox', createAdminRouter({ faults, behaviour, log, usage }));
  app.use(express.text({ type: () => true, limit: MAX_BODY }));
  app.use(async (request, response) => send(response, await handle(toIncoming(request))));
  return { app, handle, readMailboxes, close };

  async function close(): Promise<void> {
    await (await opening?.catch(() => undefined))?.own.close();
    await emulator.close();
  }
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
