import { randomBytes } from 'node:crypto';
import { listenOnLoopback } from '@mailsweep/service-kit';
import type { BehaviourChange } from '../behaviour.ts';
import { createGoogleSandbox } from '../create-google-sandbox.ts';
import { priceOf } from '../limits/quota.ts';
import type { MailboxSeed, SeedLabel, SeedMessage } from '../mailbox/mailbox-seed.ts';
import { createTokenMint } from '../sign-in/tokens.ts';
import {
  type RecordedRequest,
  refusal,
  startInterceptedServer,
  type TestResponse,
} from './intercepted-server.ts';

export { type RecordedRequest, refusal, type TestResponse } from './intercepted-server.ts';

/** A message; what a test leaves out doesn't matter to it. */
export type TestMessage = Pick<SeedMessage, 'id'> & Partial<SeedMessage>;

/** What a mailbox starts with. */
export interface TestGmailContent {
  /** Newest first, a minute apart where nothing is said of that. */
  messages?: readonly TestMessage[];
  labels?: SeedLabel[];
  /** What differs from the usual behaviour of the sandbox. */
  behaviour?: BehaviourChange;
  nowMs?: () => number;
}

/** Whose mailbox it is. */
export const TEST_USER = { email: 'ada@example.com', givenName: 'Ada', familyName: 'Lovelace', locale: 'en' };
/** Allows deleting mail for good, too. */
const FULL_SCOPE = 'https://mail.google.com/';
const YEAR_SECONDS = 31_536_000;
const MINUTE_MS = 60_000;
const USER_PATH = '/gmail/v1/users/me/';

/** One user's mailbox at a Google sandbox of its own, without limits, and a token that opens it. */
export const openUnlimitedSandbox = ({
  labels,
  messages,
  behaviour,
  nowMs,
}: Pick<MailboxSeed, 'labels' | 'messages'> & {
  behaviour: BehaviourChange | undefined;
  nowMs: () => number;
}) => {
  const tokenKey = randomBytes(32);
  const sandbox = createGoogleSandbox({
    publicUrl: 'http://127.0.0.1:1',
    clients: [],
    seedMailboxes: () => [{ user: TEST_USER, labels, messages }],
    tokenKey,
    accessTokenTtlSeconds: YEAR_SECONDS,
    quotaUnitsPerMinute: 0,
    concurrentCalls: 0,
    latencyMs: 0,
    behaviour,
    nowMs,
  });
  const { token } = createTokenMint({ key: tokenKey, accessTokenTtlSeconds: YEAR_SECONDS, nowMs }).access({
    grantId: 'test',
    email: TEST_USER.email,
    clientId: 'test',
    scope: FULL_SCOPE,
  });
  return { ...sandbox, token };
};

/**
 * One user's mailbox at a Google sandbox of its own, without limits. It takes any access token, keeps what it is asked,
 * and responds as a test wants where `intercept` says so.
 */
export const startTestGmail = async (content: TestGmailContent = {}) => {
  const { nowMs = Date.now, labels = [], behaviour } = content;
  const toSeed = (message: TestMessage, receivedAtMs: number): SeedMessage => ({
    threadId: `thread-${message.id}`,
    from: 'Shop <news@shop.example>',
    to: TEST_USER.email,
    subject: `Subject of ${message.id}`,
    text: 'Hello',
    labels: ['INBOX'],
    receivedAtMs,
    bodySizeBytes: 2_048,
    attachments: [],
    ...message,
  });
  const startedAtMs = nowMs();
  const messages = (content.messages ?? []).map((message, index) =>
    toSeed(message, startedAtMs - index * MINUTE_MS),
  );
  const sandbox = openUnlimitedSandbox({ labels, messages, behaviour, nowMs });
  const google = await listenOnLoopback(sandbox.app, 0);
  const authorization = `Bearer ${sandbox.token}`;

  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(google.url + path, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const headers = Object.fromEntries(
      ['content-type', 'retry-after'].flatMap((name) => {
        const value = response.headers.get(name);
        return value === null ? [] : [[name, value]];
      }),
    );
    return { status: response.status, headers, body: await response.text() };
  };
  /** What users do at Gmail itself, or another client: it is neither counted nor intercepted. */
  const callElsewhere = async (method: string, path: string, body?: object) => {
    const response = await call(method, path, body);
    if (response.status >= 300)
      throw new Error(`${path} responded with ${response.status}: ${response.body}`);
    return response.body === '' ? {} : JSON.parse(response.body);
  };

  /** Older history is gone. */
  let oldestHistoryId = 0n;
  const respond = async ({ method, path, query, body }: RecordedRequest): Promise<TestResponse> => {
    const start = query.get('startHistoryId') ?? '';
    if (path.endsWith('/history') && BigInt(start) < oldestHistoryId) return refusal(404, 'notFound');
    return await sandbox.handle({
      method,
      path,
      query,
      headers: { authorization, 'content-type': 'application/json' },
      body: body === undefined ? '' : JSON.stringify(body),
    });
  };
  const server = await startInterceptedServer(respond);

  const insert = async (message: Omit<TestMessage, 'id'>): Promise<SeedMessage> => {
    const newestMs = Math.max(nowMs(), ...messages.map(({ receivedAtMs }) => receivedAtMs + 1));
    const { id, ...seed } = toSeed({ id: 'new', ...message }, newestMs);
    const isReply = message.threadId !== undefined;
    const made = await callElsewhere('POST', `${USER_PATH}messages`, {
      labelIds: seed.labels,
      from: seed.from,
      to: seed.to,
      subject: seed.subject,
      text: seed.text,
      internalDate: String(seed.receivedAtMs),
      ...(isReply && { threadId: seed.threadId }),
    });
    return { ...seed, id: made.id, threadId: made.threadId };
  };
  const readHistoryId = async (id: string): Promise<string> =>
    (await callElsewhere('GET', `${USER_PATH}messages/${id}`)).historyId;
  const readMailbox = () => {
    const [mailbox] = sandbox.readMailboxes();
    if (mailbox === undefined) throw new Error('There is no mailbox.');
    return mailbox;
  };

  return {
    ...server,
    respond,
    /** What all requests so far cost in quota units. */
    units: (): number =>
      server.requests.reduce((sum, { method, path }) => sum + priceOf(method, path).units, 0),
    /** The messages as they are now, newest first, whatever the history shows of that. */
    get messages(): SeedMessage[] {
      return readMailbox().messages;
    },
    /** The user's own labels as they are now. */
    get labels(): SeedLabel[] {
      return readMailbox().labels;
    },
    /** Changes labels as another client does; messages that are not there are passed over. */
    async change(ids: string | readonly string[], change: { added?: string[]; removed?: string[] }) {
      await callElsewhere('POST', `${USER_PATH}messages/batchModify`, {
        ids: [ids].flat(),
        addLabelIds: change.added ?? [],
        removeLabelIds: change.removed ?? [],
      });
    },
    /** Lets a message arrive, as the newest. @returns its id, which Gmail chooses */
    async deliver(message: Omit<TestMessage, 'id'>): Promise<string> {
      const delivered = await insert(message);
      messages.unshift(delivered);
      return delivered.id;
    },
    /** Deletes a message for good, as another client does. */
    remove: (id: string) => call('DELETE', `${USER_PATH}messages/${id}`),
    /** Creates a label as another client does. @returns its id */
    createLabel: async (name: string): Promise<string> =>
      (await callElsewhere('POST', `${USER_PATH}labels`, { name })).id,
    /** Where the history stood when a message was last changed. */
    readHistoryId,
    /** Loses so many history records of the next call that changes messages; the changes are made. */
    loseNextRecords: (records: number) =>
      callElsewhere('POST', '/sandbox/faults', { kind: 'lose_history_records', method: 'POST', records }),
    /** Forgets all history up to now, as the provider does after a while. */
    async expireHistory() {
      // The history id has to move on, so that who has read all until now hears of it.
      const { id } = await insert({ labels: ['TRASH'] });
      const historyId = await readHistoryId(id);
      await callElsewhere('DELETE', `${USER_PATH}messages/${id}`);
      oldestHistoryId = BigInt(historyId);
    },
    async close() {
      await Promise.all([server.close(), google.close()]);
    },
  };
};

/** A mailbox that tests see from all sides. */
export type TestGmail = Awaited<ReturnType<typeof startTestGmail>>;
