import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createEmulator } from 'emulate';
import type { SandboxResponse } from '../response.ts';
import { fullNameOf, type MailboxSeed } from './mailbox-seed.ts';
import { toRawMessage } from './raw-message.ts';

/** A program that may send users here to sign in. */
export interface OauthClient {
  clientId: string;
  clientSecret: string;
  name: string;
  redirectUris: string[];
}

export interface EmulatorRequest {
  method: string;
  path: string;
  query?: URLSearchParams | undefined;
  contentType?: string | undefined;
  body?: string | undefined;
  /** User of the call; none for the OAuth routes. */
  email?: string | undefined;
}

export interface Emulator {
  call(request: EmulatorRequest): Promise<SandboxResponse>;
  close(): Promise<void>;
}

/** Calls that the emulator takes from one token in an hour, less a margin; it has no switch for this limit. */
const CALLS_PER_TOKEN = 4_500;
/** Enough tokens per user that the first one expires before it is used again. */
const TOKENS_PER_PERSON = 500;

const tokenOf = (email: string, index: number): string => `sandbox-${index}-${email}`;

/** Headers of the emulator that are passed on to the client. */
const KEPT_HEADERS = ['content-type', 'location', 'cache-control'];

interface EmulatorContent {
  mailboxes: readonly MailboxSeed[];
  clients: readonly OauthClient[];
}

/** Starts the npm package `emulate`, which plays Google's OAuth and Gmail in memory. */
export const startEmulator = async (content: EmulatorContent): Promise<Emulator> => {
  const { url, fetch: respond, close } = await runEmulator(content);
  // In the same thread it needs no connection.
  return connect(url, (target, init) => respond(new Request(target, init)), close);
};

/** Starts it in a thread of its own: filling it with a large mailbox takes seconds, in which it does nothing else. */
export const startEmulatorThread = async (content: EmulatorContent): Promise<Emulator> => {
  const thread = new Worker(new URL('./emulator-thread.ts', import.meta.url), { workerData: content });
  const [url] = (await once(thread, 'message')) as [string];
  return connect(url, fetch, async () => {
    await thread.terminate();
  });
};

/** Runs the emulator in this thread. */
export const runEmulator = ({ mailboxes, clients }: EmulatorContent) =>
  createEmulator({
    service: 'google',
    port: 0,
    seed: { tokens: toTokens(mailboxes), google: toSeed(mailboxes, clients) },
  });

const connect = (url: string, send: typeof fetch, close: () => Promise<void>): Emulator => {
  const origin = `http://127.0.0.1:${new URL(url).port}`;
  let calls = 0;

  const authorization = (email: string | undefined): string => {
    calls += 1;
    const index = Math.floor(calls / CALLS_PER_TOKEN) % TOKENS_PER_PERSON;
    return `Bearer ${email === undefined ? `nobody-${index}` : tokenOf(email, index)}`;
  };

  return {
    async call({ method, path, query, contentType, body, email }) {
      const search = query && query.size > 0 ? `?${query}` : '';
      const response = await send(`${origin}${path}${search}`, {
        method,
        redirect: 'manual',
        headers: {
          authorization: authorization(email),
          ...(contentType === undefined ? {} : { 'content-type': contentType }),
        },
        ...(body ? { body } : {}),
      });
      const headers = KEPT_HEADERS.flatMap((name) => {
        const value = response.headers.get(name);
        return value === null ? [] : [[name, value]];
      });
      return { status: response.status, headers: Object.fromEntries(headers), body: await response.text() };
    },
    close,
  };
};

const toTokens = (mailboxes: readonly MailboxSeed[]) =>
  Object.fromEntries(
    mailboxes.flatMap(({ user }) =>
      Array.from({ length: TOKENS_PER_PERSON }, (_, index) => [
        tokenOf(user.email, index),
        { login: user.email, scopes: [] },
      ]),
    ),
  );

const HIDDEN = { message_list_visibility: 'hide', label_list_visibility: 'labelHide' };

const toSeed = (mailboxes: readonly MailboxSeed[], clients: readonly OauthClient[]) => ({
  users: mailboxes.map(({ user }) => ({
    email: user.email,
    name: fullNameOf(user),
    given_name: user.givenName,
    family_name: user.familyName,
    locale: user.locale,
  })),
  oauth_clients: clients.map((client) => ({
    client_id: client.clientId,
    client_secret: client.clientSecret,
    name: client.name,
    redirect_uris: client.redirectUris,
  })),
  labels: mailboxes.flatMap(({ user, labels }) => [
    // The one label of Gmail's own that the emulator lacks.
    { id: 'CHAT', user_email: user.email, name: 'CHAT', type: 'system' as const, ...HIDDEN },
    ...labels.map((label) => ({ id: label.id, user_email: user.email, name: label.name })),
  ]),
  messages: mailboxes.flatMap(({ user, messages }) =>
    // In the order of arrival, so that the newest is at the end of the history.
    messages
      .toSorted((one, other) => one.receivedAtMs - other.receivedAtMs)
      .map((message) => ({
        id: message.id,
        user_email: user.email,
        thread_id: message.threadId,
        from: message.from,
        to: message.to,
        subject: message.subject,
        body_text: message.text,
        label_ids: message.labels,
        internal_date: String(message.receivedAtMs),
        ...(message.attachments.length > 0 ? { raw: toRawMessage(message) } : {}),
      })),
  ),
});
