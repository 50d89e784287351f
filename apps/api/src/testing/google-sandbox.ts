import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createGoogleSandbox, createTokenMint, type SeedMessage } from '@mailsweep/google-sandbox';
import { listenOnLoopback } from '@mailsweep/service-kit';

const DAY_MS = 86_400_000;
const HOUR_SECONDS = 3_600;
const MAIL_SCOPE = 'openid email profile https://www.googleapis.com/auth/gmail.modify';

const USERS = [
  { email: 'ada@example.com', givenName: 'Ada', familyName: 'Lovelace', locale: 'en' },
  { email: 'grace@example.com', givenName: 'Grace', familyName: 'Hopper', locale: 'en' },
  { email: 'edith@example.com', givenName: 'Edith', familyName: 'Clarke', locale: 'en' },
  { email: 'edith@work.example', givenName: 'Edith', familyName: 'Clarke', locale: 'en' },
];

/** A message as a test names it; what it leaves out doesn't matter to it. */
export interface SandboxMessage {
  id: string;
  /** A conversation of its own by default. */
  threadId?: string;
  from?: string;
  subject?: string;
  text?: string;
  /** Size of the one attached file; none without. */
  attachmentBytes?: number;
  labelIds?: string[];
  ageDays?: number;
  /** Headers above those of every message. */
  headers?: readonly { name: string; value: string }[];
}

const toSeed = (owner: string, message: SandboxMessage): SeedMessage => ({
  id: message.id,
  threadId: message.threadId ?? `thread-${message.id}`,
  from: message.from ?? 'News <news@shop.example>',
  to: owner,
  subject: message.subject ?? 'Subject',
  text: message.text ?? 'Text',
  labels: message.labelIds ?? ['INBOX', 'UNREAD', 'CATEGORY_PROMOTIONS'],
  receivedAtMs: Date.now() - (message.ageDays ?? 1) * DAY_MS,
  bodySizeBytes: 2_048,
  attachments:
    message.attachmentBytes === undefined
      ? []
      : [
          {
            filename: 'file.pdf',
            mimeType: 'application/pdf',
            sizeBytes: message.attachmentBytes,
            isInline: false,
          },
        ],
  ...(message.headers && { headers: message.headers }),
});

/** How the next calls whose path matches are treated. */
export interface Fault {
  path: RegExp;
  times: number;
  /** Without it the call goes through. */
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** The response waits for this. */
  until?: Promise<unknown>;
}

/** How the next successful JSON responses to calls whose path matches are changed. */
export interface Rewrite {
  path: RegExp;
  times: number;
  change: (response: Record<string, unknown>) => Record<string, unknown>;
}

/** Has a response go through `change` before it is sent. */
const rewriteResponse = (response: ServerResponse, { change }: Rewrite): void => {
  const { writeHead, end } = response;
  let head: [status: number, headers: Record<string, string>] = [200, {}];
  const holdHead = (...given: typeof head) => {
    head = given;
    return response;
  };
  const endChanged = (body: string) => {
    const isChanged = head[0] === 200 && head[1]['content-type']?.includes('json');
    Reflect.apply(writeHead, response, head);
    return Reflect.apply(end, response, [isChanged ? JSON.stringify(change(JSON.parse(body))) : body]);
  };
  Object.assign(response, { writeHead: holdHead, end: endChanged });
};

/** The Google sandbox, behind a server that counts calls and can misbehave on demand. */
export const startGoogleSandbox = async (options: {
  redirectUri: string;
  clientId: string;
  clientSecret: string;
  mail: Record<string, SandboxMessage[]>;
}) => {
  const faults: Fault[] = [];
  const rewrites: Rewrite[] = [];
  const calls: { method: string; path: string }[] = [];
  const responded: string[] = [];
  let waiting: (() => boolean)[] = [];
  let app: RequestListener = (_request, response) => response.writeHead(503).end();

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '/';
    calls.push({ method: request.method ?? 'GET', path });
    const fault = faults.find((candidate) => candidate.times > 0 && candidate.path.test(path));
    if (fault !== undefined) {
      fault.times -= 1;
      await fault.until;
      if (fault.status !== undefined) {
        request.resume();
        response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
        response.end(JSON.stringify(fault.body ?? { error: { code: fault.status, message: 'fault' } }));
        return;
      }
    }
    const rewrite = rewrites.find((candidate) => candidate.times > 0 && candidate.path.test(path));
    if (rewrite !== undefined) {
      rewrite.times -= 1;
      rewriteResponse(response, rewrite);
    }
    response.once('finish', () => {
      responded.push(path);
      waiting = waiting.filter((isStillWaiting) => isStillWaiting());
    });
    app(request, response);
  };
  const server = await listenOnLoopback((request, response) => void handle(request, response), 0);

  const tokenKey = randomBytes(32);
  const { clientId, clientSecret } = options;
  const sandbox = createGoogleSandbox({
    publicUrl: server.url,
    clients: [{ clientId, clientSecret, name: 'Mailsweep', redirectUris: [options.redirectUri] }],
    seedMailboxes: () =>
      USERS.map((user) => ({
        user,
        labels: [],
        messages: (options.mail[user.email] ?? []).map((message) => toSeed(user.email, message)),
      })),
    tokenKey,
    accessTokenTtlSeconds: HOUR_SECONDS,
    quotaUnitsPerMinute: 0,
    concurrentCalls: 0,
    latencyMs: 0,
    behaviour: { refreshTokenOnConsentOnly: false },
  });
  app = sandbox.app;
  const tokens = createTokenMint({ key: tokenKey, accessTokenTtlSeconds: HOUR_SECONDS, nowMs: Date.now });
  const ownServer = await listenOnLoopback(sandbox.app, 0);

  /** What a user does at Gmail itself: it is not counted and does not fail. */
  const askAs = async (
    email: string,
    path: string,
    body?: object,
    method = body === undefined ? 'GET' : 'POST',
  ) => {
    const { token } = tokens.access({ grantId: 'own', email, clientId, scope: MAIL_SCOPE });
    const response = await fetch(`${ownServer.url}/gmail/v1/users/me/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return JSON.parse((await response.text()) || '{}') as {
      labelIds?: string[];
      labels?: { id: string; name: string }[];
    };
  };

  return {
    url: server.url,
    calls,
    /** The labels of a message, sorted. */
    async labelsOf(id: string, email = 'ada@example.com'): Promise<string[]> {
      return ((await askAs(email, `messages/${id}?format=minimal`)).labelIds ?? []).toSorted();
    },
    /** Changes labels as the user does at Gmail itself. */
    async changeLabels(
      id: string,
      change: { added?: string[]; removed?: string[] },
      email = 'ada@example.com',
    ) {
      const { added: addLabelIds = [], removed: removeLabelIds = [] } = change;
      await askAs(email, `messages/${id}/modify`, { addLabelIds, removeLabelIds });
    },
    /** The id of a label by its name. */
    async findLabel(name: string, email = 'ada@example.com'): Promise<string | undefined> {
      return (await askAs(email, 'labels')).labels?.find((label) => label.name === name)?.id;
    },
    /** Deletes a label as the user does at Gmail itself. */
    async deleteLabel(id: string, email = 'ada@example.com') {
      await askAs(email, `labels/${id}`, undefined, 'DELETE');
    },
    /** Makes the next calls whose path matches fail. */
    fail(fault: Fault) {
      faults.push(fault);
    },
    /** Resolves once so many calls of matching paths have got a response, since the last heal. */
    whenResponded: (path: RegExp, count: number): Promise<void> =>
      new Promise((resolve) => {
        const isStillWaiting = () => {
          if (responded.filter((one) => path.test(one)).length < count) return true;
          resolve();
          return false;
        };
        if (isStillWaiting()) waiting.push(isStillWaiting);
      }),
    /** Changes the next responses to calls whose path matches. */
    rewrite(rewrite: Rewrite) {
      rewrites.push(rewrite);
    },
    /** Deletes all faults, and the list of calls. */
    heal() {
      faults.length = 0;
      rewrites.length = 0;
      calls.length = 0;
      responded.length = 0;
    },
    /** How many calls had a matching path, since the last heal. */
    countCalls: (path: RegExp) => calls.filter((call) => path.test(call.path)).length,
    async close() {
      await Promise.all([server.close(), ownServer.close()]);
    },
  };
};
