import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import {
  type BehaviourChange,
  createGoogleSandbox,
  createTokenMint,
  type Fault,
  type GoogleSandboxOptions,
  type LoggedRequest,
  type MailboxSeed,
  type SeedMessage,
} from '@mailsweep/google-sandbox';
import { listenOnLoopback } from '@mailsweep/service-kit';
import { ask } from './ask.ts';
import { readBehaviour } from './config.ts';

const HOUR_MS = 3_600_000;
const TOKEN_TTL_S = 3_600;

/** A message as a scenario names it; what it leaves out doesn't matter to it. */
export type Mail = { id: string } & Partial<SeedMessage>;

/** As many unremarkable messages, `{prefix}-1` and so on. */
export const mails = (count: number, prefix = 'mail'): Mail[] =>
  Array.from({ length: count }, (_, index) => ({ id: `${prefix}-${index + 1}` }));

const toMailbox = (email: string, messages: readonly Mail[], nowMs: number): MailboxSeed => ({
  user: { email, givenName: email.split('@')[0] ?? email, familyName: 'Example', locale: 'en' },
  labels: [],
  messages: messages.map((message, index) => ({
    threadId: `thread-${message.id}`,
    from: 'Shop <news@shop.example>',
    to: email,
    subject: `Subject of ${message.id}`,
    text: 'Hello',
    labels: ['INBOX', 'UNREAD'],
    receivedAtMs: nowMs - (index + 1) * HOUR_MS,
    bodySizeBytes: 2_048,
    attachments: [],
    ...message,
  })),
});

/**
 * Starts the Google sandbox in this process, with the given mailboxes.
 *
 * @param options.mail - the messages of each user, by mail address
 */
export const startGoogle = async (options: {
  mail: Record<string, readonly Mail[]>;
  redirectUri: string;
  sandbox?: Partial<GoogleSandboxOptions> | undefined;
}) => {
  const client = { clientId: 'client', clientSecret: 'client-secret' };
  const tokenKey = randomBytes(32);
  const secrets = new Set<string>();
  let app: RequestListener = (_request, response) => response.writeHead(503).end();
  const server = await listenOnLoopback((request, response) => {
    if (request.url?.includes('/token')) watchSecrets(request, response, secrets);
    app(request, response);
  }, 0);
  const sandbox = createGoogleSandbox({
    publicUrl: server.url,
    clients: [{ ...client, name: 'Mailsweep', redirectUris: [options.redirectUri] }],
    seedMailboxes: (nowMs) =>
      Object.entries(options.mail).map(([email, messages]) => toMailbox(email, messages, nowMs)),
    tokenKey,
    accessTokenTtlSeconds: TOKEN_TTL_S,
    quotaUnitsPerMinute: 0,
    concurrentCalls: 0,
    latencyMs: 0,
    ...options.sandbox,
    behaviour: { ...readBehaviour(), ...options.sandbox?.behaviour },
  });
  app = sandbox.app;
  const mint = createTokenMint({ key: tokenKey, accessTokenTtlSeconds: TOKEN_TTL_S, nowMs: Date.now });

  /** What a user does at Gmail itself. */
  const askAs = (email: string, path: string, json?: object) => {
    const grant = {
      grantId: `own-${email}`,
      email,
      clientId: client.clientId,
      scope: 'https://mail.google.com/',
    };
    const { token } = mint.access(grant);
    return ask(`${server.url}/gmail/v1/users/me/${path}`, {
      headers: { authorization: `Bearer ${token}` },
      ...(json === undefined ? {} : { json }),
    });
  };

  return {
    url: server.url,
    ...client,
    /** Every authorization code that was redeemed and every token that was issued. */
    secrets,
    /** Makes the next calls that fit go wrong; the fields are those of tooling/google-sandbox/README.md. */
    async fail(fault: Partial<Fault> & Pick<Fault, 'kind'>): Promise<void> {
      const reply = await ask(`${server.url}/sandbox/faults`, { json: fault });
      if (reply.status !== 201) throw new Error(`not a fault of the sandbox: ${reply.text}`);
    },
    /** Changes how the sandbox behaves; the settings are those of tooling/google-sandbox/README.md. */
    async behave(change: BehaviourChange): Promise<void> {
      const reply = await ask(`${server.url}/sandbox/behaviour`, { method: 'PATCH', json: change });
      if (reply.status !== 200) throw new Error(`no setting of the sandbox: ${reply.text}`);
    },
    async heal(): Promise<void> {
      await ask(`${server.url}/sandbox/faults`, { method: 'DELETE' });
    },
    /** The calls so far, without content. */
    async listCalls(): Promise<LoggedRequest[]> {
      return (await ask(`${server.url}/sandbox/requests`)).body;
    },
    async forgetCalls(): Promise<void> {
      await ask(`${server.url}/sandbox/requests`, { method: 'DELETE' });
    },
    /** The labels of a message, sorted. */
    async labelsOf(email: string, id: string): Promise<string[]> {
      const reply = await askAs(email, `messages/${id}?format=minimal`);
      if (reply.status !== 200) throw new Error(`the sandbox does not show ${id}: ${reply.text}`);
      return (reply.body.labelIds ?? []).toSorted();
    },
    /** Has an email arrive, and returns its id; undefined where Gmail is made to fail. */
    async deliver(
      to: string,
      email: { from: string; subject: string; labelIds: string[] },
    ): Promise<string | undefined> {
      return (await askAs(to, 'messages', { to, text: 'Hello', ...email })).body?.id;
    },
    /** Changes labels as the user does at Gmail itself. */
    async changeLabels(email: string, id: string, change: { added?: string[]; removed?: string[] }) {
      const { added: addLabelIds = [], removed: removeLabelIds = [] } = change;
      const reply = await askAs(email, `messages/${id}/modify`, { addLabelIds, removeLabelIds });
      if (reply.status !== 200) throw new Error(`the sandbox does not change ${id}: ${reply.text}`);
    },
    close: server.close,
  };
};

export type Google = Awaited<ReturnType<typeof startGoogle>>;

/** Remembers what a token request and its response hold that nobody else may see. */
const watchSecrets = (request: IncomingMessage, response: ServerResponse, secrets: Set<string>): void => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    for (const name of ['code', 'code_verifier', 'refresh_token']) {
      const value = form.get(name);
      if (value !== null) secrets.add(value);
    }
  });
  const end = response.end.bind(response);
  response.end = ((body: unknown, ...rest: never[]) => {
    const text = String(body ?? '');
    for (const [, value = ''] of text.matchAll(/"(?:access_token|refresh_token|id_token)":\s*"([^"]+)"/g)) {
      secrets.add(value);
    }
    return end(body as string, ...rest);
  }) as typeof response.end;
};
