import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A message as Gmail's REST API shows it; only what a test cares about. */
export interface FakeMessage {
  id: string;
  labelIds: string[];
  [field: string]: unknown;
}

export interface FakeLabel {
  id: string;
  name: string;
  type: string;
}

export interface RecordedRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: unknown;
  /** Whether the call came within a batch. */
  isInBatch: boolean;
}

export type FakeAnswer =
  | { status?: number; headers?: Record<string, string>; body?: unknown }
  /** Never answers. */
  | 'hang'
  /** Sends the head and a part of the body, then nothing. */
  | 'hang_after_head'
  /** Breaks the connection. */
  | 'reset'
  /** Sends the head and a part of the body, then breaks the connection. */
  | 'reset_after_head'
  /** Leaves a call out of the answer to its batch. */
  | 'left_out';

/**
 * What the fake does as the real Gmail, by the names that the Google sandbox has for it (stack/README.md, "Settings",
 * with sources in stack/src/google-sandbox/behaviour.ts).
 */
interface FakeGmailBehaviour {
  /** Changes are answered with `id`, `threadId` and `labelIds` alone. */
  shortChangeResponses: boolean;
  /** A full page has a token even when nothing follows. */
  tokenAfterFullPage: boolean;
  /** Page tokens are 20 digits that tell nothing. */
  opaquePageTokens: boolean;
  /** How long a record of history stays invisible, in milliseconds. */
  historyDelayMs: number;
  /** Whether the mailbox's history id already counts changes whose records are invisible still. */
  historyIdLeadsRecords: boolean;
  /** Labels that come and those that go leave a record each, with a change of IMPORTANT in between. */
  splitRecords: boolean;
  /** Drafts take no label changes; they fail a batch as a whole. */
  refuseDrafts: boolean;
}

/** `false` stands where the product does not cope yet; it is changed together with what makes it cope. */
const fakeGmailDefaults: FakeGmailBehaviour = {
  shortChangeResponses: true,
  tokenAfterFullPage: true,
  opaquePageTokens: true,
  historyDelayMs: 0,
  historyIdLeadsRecords: false,
  splitRecords: false,
  refuseDrafts: true,
};

/** What a fake starts with. */
export interface FakeGmailContent {
  messages?: FakeMessage[];
  labels?: FakeLabel[];
  /** What differs from the usual behaviour. */
  behaviour?: Partial<FakeGmailBehaviour>;
  /** The present, in milliseconds since 1970, by which records become visible. */
  nowMs?: () => number;
}

const FLAT_ESTIMATE = 201;

/** Answers a request in place of the fake's own answer, unless it gives undefined. */
type Interceptor = (request: RecordedRequest) => FakeAnswer | undefined | Promise<FakeAnswer | undefined>;

export interface FakeGmail {
  url: string;
  requests: RecordedRequest[];
  messages: FakeMessage[];
  labels: FakeLabel[];
  /** What all requests so far cost in quota units (Gmail API reference, "Usage limits"). */
  units(): number;
  /** Answers a request as the fake does by itself, with all that it changes. */
  answer(request: RecordedRequest): FakeAnswer;
  /** Changes labels as another client does. */
  change(id: string, change: { added?: string[]; removed?: string[] }): void;
  /** Lets a message arrive, as the newest. */
  deliver(message: FakeMessage): void;
  /** Deletes a message for good, as another client does. */
  remove(id: string): void;
  /** Loses the next records of these messages for good; the changes are made. */
  loseRecords(ids: readonly string[]): void;
  /** Forgets all history up to now, as the provider does after a while. */
  expireHistory(): void;
  /** How many requests wait for their answer. */
  inFlight(): number;
  intercept(interceptor: Interceptor): void;
  close(): Promise<void>;
}

/** A refusal in Google's form. */
export const refusal = (status: number, reason: string, message = 'refused'): FakeAnswer => ({
  status,
  body: { error: { code: status, message, errors: [{ domain: 'global', reason, message }] } },
});

const MESSAGES_PATH = '/gmail/v1/users/me/messages';
const THREADS_PATH = '/gmail/v1/users/me/threads/';
const LABELS_PATH = '/gmail/v1/users/me/labels';
const BATCH_PATH = '/batch/gmail/v1';
const BATCH_BOUNDARY = 'batch_of_answers';
const HISTORY_PATH = '/gmail/v1/users/me/history';
const PROFILE_PATH = '/gmail/v1/users/me/profile';

const DRAFT_REFUSAL = refusal(400, 'invalidArgument', 'Invalid label: INBOX');

/** Page tokens and the places in a list that they stand for. */
const createPageTokens = (behaviour: FakeGmailBehaviour) => {
  const offsets = new Map<string, number>();
  return {
    issue(offset: number): string {
      const token = behaviour.opaquePageTokens
        ? String(7n ** 23n + BigInt(offset)).padStart(20, '0')
        : String(offset);
      offsets.set(token, offset);
      return token;
    },
    read: (query: URLSearchParams): number | undefined => {
      const token = query.get('pageToken');
      return token ? offsets.get(token) : 0;
    },
  };
};
type PageTokens = ReturnType<typeof createPageTokens>;

const INVALID_PAGE_TOKEN = refusal(400, 'invalidArgument', 'Invalid pageToken');

const listMessages = (
  messages: FakeMessage[],
  query: URLSearchParams,
  { behaviour, pageTokens }: { behaviour: FakeGmailBehaviour; pageTokens: PageTokens },
): FakeAnswer => {
  const labelIds = query.getAll('labelIds');
  const isHidden = ({ labelIds: own }: FakeMessage) =>
    ['SPAM', 'TRASH'].some((label) => own.includes(label) && !labelIds.includes(label));
  const matching = messages.filter(
    (message) => !isHidden(message) && labelIds.every((label) => message.labelIds.includes(label)),
  );
  const from = pageTokens.read(query);
  if (from === undefined) return INVALID_PAGE_TOKEN;
  const pageSize = Number(query.get('maxResults') ?? 100);
  const page = matching.slice(from, from + pageSize);
  const isFull = page.length === pageSize;
  const hasToken = from + pageSize < matching.length || (isFull && behaviour.tokenAfterFullPage);
  const estimate = hasToken ? FLAT_ESTIMATE : page.length;
  return {
    body: {
      ...(page.length > 0 && {
        messages: page.map(withThreadId).map(({ id, threadId }) => ({ id, threadId })),
      }),
      ...(hasToken && { nextPageToken: pageTokens.issue(from + pageSize) }),
      resultSizeEstimate: estimate,
    },
  };
};

/** A message of which nothing else is said is a conversation of its own. */
const withThreadId = (message: FakeMessage): FakeMessage & { threadId: unknown } => ({
  threadId: `thread-${message.id}`,
  ...message,
});

/** Every message of a conversation, oldest first. */
const getThread = (messages: FakeMessage[], threadId: string): FakeAnswer => {
  const own = messages.map(withThreadId).filter((message) => message.threadId === threadId);
  return own.length === 0 ? refusal(404, 'notFound') : { body: { id: threadId, messages: own.toReversed() } };
};

/** Units by method and the part of the path after the person; the first match holds. */
const PRICES: readonly [request: RegExp, units: number][] = [
  [/^GET profile$/, 1],
  [/^GET labels/, 1],
  [/^GET history$/, 2],
  [/^GET messages$/, 5],
  [/^GET messages\//, 20],
  [/^GET threads\//, 40],
  [/^POST messages\/batchModify$/, 50],
  [/^POST messages\/[^/]+\/modify$/, 5],
];
const OTHER_PRICE = 5;

const priceOf = ({ method, path }: RecordedRequest): number => {
  const request = `${method} ${path.replace(/^.*\/users\/me\//, '')}`;
  return PRICES.find(([pattern]) => pattern.test(request))?.[1] ?? OTHER_PRICE;
};

/** A change as the history tells it. */
interface HistoryRecord {
  id: bigint;
  atMs: number;
  messageId: string;
  added: string[];
  removed: string[];
  isDeleted: boolean;
}

/** Ids grow, but not by one: nothing may count on that. */
const ID_STEP = 7n;

/** Keeps what happens to messages, as Gmail's history does: a change that changes nothing leaves no trace. */
const createHistory = (
  messages: FakeMessage[],
  options: { pageTokens: PageTokens; behaviour: FakeGmailBehaviour; nowMs: () => number },
) => {
  const { pageTokens, behaviour, nowMs } = options;
  const lost = new Set<string>();
  let lastId = 1_000n;
  let floor = 0n;
  let records: HistoryRecord[] = [];
  const nextId = () => {
    lastId += ID_STEP;
    return lastId;
  };
  // The oldest message came first.
  for (const message of messages.toReversed()) message.historyId ??= String(nextId());

  const add = (record: Omit<HistoryRecord, 'id' | 'atMs'>): bigint => {
    const id = nextId();
    if (!lost.has(record.messageId)) records.push({ ...record, id, atMs: nowMs() });
    return id;
  };
  const visible = () => records.filter(({ atMs }) => atMs + behaviour.historyDelayMs <= nowMs());
  const currentId = () => {
    const shown = visible();
    if (behaviour.historyIdLeadsRecords || shown.length === records.length) return lastId;
    return shown.at(-1)?.id ?? floor;
  };

  return {
    currentId,
    lose(ids: readonly string[]) {
      for (const id of ids) lost.add(id);
    },
    expire() {
      nextId();
      floor = lastId;
      records = [];
    },
    arrive(message: FakeMessage) {
      message.historyId ??= String(nextId());
    },
    remove(messageId: string) {
      add({ messageId, added: [], removed: [], isDeleted: true });
    },
    change(message: FakeMessage, { added = [], removed = [] }: { added?: string[]; removed?: string[] }) {
      const before = new Set(message.labelIds);
      const after = before.union(new Set(added)).difference(new Set(removed));
      if (before.symmetricDifference(after).size === 0) return;
      const came = [...after.difference(before)];
      const gone = [...before.difference(after)];
      const messageId = message.id;
      let id: bigint;
      if (behaviour.splitRecords && came.length > 0 && gone.length > 0) {
        add({ messageId, added: came, removed: [], isDeleted: false });
        const isImportant = after.has('IMPORTANT');
        const importance = isImportant
          ? { added: [], removed: ['IMPORTANT'] }
          : { added: ['IMPORTANT'], removed: [] };
        after[isImportant ? 'delete' : 'add']('IMPORTANT');
        add({ messageId, ...importance, isDeleted: false });
        id = add({ messageId, added: [], removed: gone, isDeleted: false });
      } else id = add({ messageId, added: came, removed: gone, isDeleted: false });
      lost.delete(messageId);
      message.labelIds = [...after];
      message.historyId = String(id);
    },
    list(query: URLSearchParams): FakeAnswer {
      const start = BigInt(query.get('startHistoryId') ?? '');
      if (start < floor) return refusal(404, 'notFound');
      const from = pageTokens.read(query);
      if (from === undefined) return INVALID_PAGE_TOKEN;
      const until = from + Number(query.get('maxResults') ?? 100);
      const later = visible().filter(({ id }) => id > start);
      return {
        body: {
          history: later.slice(from, until).map(toHistoryEntry),
          historyId: String(currentId()),
          ...(until < later.length ? { nextPageToken: pageTokens.issue(until) } : {}),
        },
      };
    },
  };
};

const toHistoryEntry = ({ id, messageId, added, removed, isDeleted }: HistoryRecord) => {
  const message = { id: messageId };
  return {
    id: String(id),
    messages: [message],
    ...(added.length > 0 ? { labelsAdded: [{ message, labelIds: added }] } : {}),
    ...(removed.length > 0 ? { labelsRemoved: [{ message, labelIds: removed }] } : {}),
    ...(isDeleted ? { messagesDeleted: [{ message }] } : {}),
  };
};

interface ModifyBody {
  ids?: string[];
  addLabelIds: string[];
  removeLabelIds: string[];
}

const createLabel = (labels: FakeLabel[], body: unknown): FakeAnswer => {
  const { name } = body as { name: string };
  if (labels.some((label) => label.name.toLowerCase() === name.toLowerCase())) {
    return refusal(409, 'aborted', 'Label name exists or conflicts');
  }
  const label = { id: `Label_${labels.length + 1}`, name, type: 'user' };
  labels.push(label);
  return { body: label };
};

const send = (response: ServerResponse, answer: FakeAnswer): void => {
  if (answer === 'hang' || answer === 'left_out') return;
  if (answer === 'reset') {
    response.socket?.resetAndDestroy();
  } else if (answer === 'hang_after_head' || answer === 'reset_after_head') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{"id":', () => {
      if (answer === 'reset_after_head') response.socket?.resetAndDestroy();
    });
  } else {
    const { body = {} } = answer;
    const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    response
      .writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers })
      .end(bytes);
  }
};

const readRequest = async (request: IncomingMessage): Promise<RecordedRequest> => {
  const url = new URL(request.url ?? '', 'http://localhost');
  const body = (await buffer(request)).toString();
  const isJson = request.headers['content-type']?.startsWith('application/json');
  return {
    method: request.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    body: isJson ? JSON.parse(body) : body || undefined,
    isInBatch: false,
  };
};

/** The calls within a batch, each with the headers of the whole. */
const readBatch = ({ headers, body }: RecordedRequest) =>
  [...String(body).matchAll(/Content-ID: <(.+)>\r\n\r\n([A-Z]+) (\S+) HTTP\/1\.1\r\n/g)].map(
    ([, contentId, method = '', target = '']) => {
      const { pathname: path, searchParams: query } = new URL(target, 'http://localhost');
      return { contentId, request: { method, path, query, headers, body: undefined, isInBatch: true } };
    },
  );

/** Answers to the calls of a batch, in reverse order: their places are to tell nothing. */
const writeBatch = (answers: { contentId: string | undefined; answer: FakeAnswer }[]): FakeAnswer => {
  const sections = answers.toReversed().flatMap(({ contentId, answer }) => {
    if (typeof answer === 'string') return [];
    const { status = 200, headers = {}, body = {} } = answer;
    return [
      `--${BATCH_BOUNDARY}`,
      'Content-Type: application/http',
      `Content-ID: <response-${contentId}>`,
      '',
      `HTTP/1.1 ${status} Whatever`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      '',
      typeof body === 'string' ? body : JSON.stringify(body, null, 2),
    ];
  });
  return {
    headers: { 'content-type': `multipart/mixed; boundary=${BATCH_BOUNDARY}` },
    body: [...sections, `--${BATCH_BOUNDARY}--`, ''].join('\r\n'),
  };
};

/**
 * A Gmail server on localhost that keeps what it is asked. It knows `labelIds`, pages and history, but ignores search
 * terms and field masks, so that tests see whether the adapter relies on them.
 */
export const startFakeGmail = async (content: FakeGmailContent = {}): Promise<FakeGmail> => {
  const behaviour = { ...fakeGmailDefaults, ...content.behaviour };
  const pageTokens = createPageTokens(behaviour);
  const messages = content.messages ?? [];
  const labels = content.labels ?? [];
  const history = createHistory(messages, { pageTokens, behaviour, nowMs: content.nowMs ?? Date.now });
  const requests: RecordedRequest[] = [];
  const find = (id: string) => messages.find((candidate) => candidate.id === id);
  let interceptor: Interceptor = () => undefined;
  let inFlight = 0;

  const answer = ({ method, path, query, body }: RecordedRequest): FakeAnswer => {
    if (path === LABELS_PATH) return method === 'POST' ? createLabel(labels, body) : { body: { labels } };
    if (path.startsWith(`${LABELS_PATH}/`)) {
      const labelId = path.slice(LABELS_PATH.length + 1);
      const labelled = messages.filter(({ labelIds }) => labelIds.includes(labelId));
      const unread = labelled.filter(({ labelIds }) => labelIds.includes('UNREAD'));
      return {
        body: { id: labelId, messagesTotal: labelled.length, messagesUnread: unread.length },
      };
    }
    if (path === PROFILE_PATH) {
      return { body: { historyId: String(history.currentId()), messagesTotal: messages.length } };
    }
    if (path === HISTORY_PATH) return history.list(query);
    if (path.startsWith(THREADS_PATH)) return getThread(messages, path.slice(THREADS_PATH.length));
    if (path === MESSAGES_PATH) return listMessages(messages, query, { behaviour, pageTokens });
    if (path === `${MESSAGES_PATH}/batchModify`) return batchModify(body as ModifyBody);
    const [id, verb] = path
      .slice(MESSAGES_PATH.length + 1)
      .split('/')
      .map(decodeURIComponent);
    const message = find(id ?? '');
    if (!path.startsWith(MESSAGES_PATH) || !message) return refusal(404, 'notFound');
    if (verb !== 'modify') return { body: withThreadId(message) };
    if (isRefused(message)) return DRAFT_REFUSAL;
    modify(message, body as ModifyBody);
    const { threadId, labelIds } = withThreadId(message);
    return { body: behaviour.shortChangeResponses ? { id: message.id, threadId, labelIds } : message };
  };

  const modify = (message: FakeMessage, { addLabelIds, removeLabelIds }: ModifyBody): void =>
    history.change(message, { added: addLabelIds, removed: removeLabelIds });

  const isRefused = (message: FakeMessage | undefined) =>
    behaviour.refuseDrafts && message?.labelIds.includes('DRAFT');

  const batchModify = (body: ModifyBody): FakeAnswer => {
    if (body.ids?.some((id) => isRefused(find(id)))) return DRAFT_REFUSAL;
    for (const id of body.ids ?? []) {
      const message = find(id);
      if (message) modify(message, body);
    }
    return { status: 204, body: '' };
  };

  const server = createServer((incoming, response) => {
    inFlight += 1;
    response.once('close', () => {
      inFlight -= 1;
    });
    const answerOne = async (request: RecordedRequest): Promise<FakeAnswer> => {
      requests.push(request);
      return (await interceptor(request)) ?? answer(request);
    };
    const answerBatch = async (request: RecordedRequest): Promise<FakeAnswer> => {
      const calls = readBatch(request).map(async (call) => ({
        contentId: call.contentId,
        answer: await answerOne(call.request),
      }));
      return writeBatch(await Promise.all(calls));
    };
    void readRequest(incoming).then(async (request) => {
      if (request.path !== BATCH_PATH) return send(response, await answerOne(request));
      requests.push(request);
      send(response, (await interceptor(request)) ?? (await answerBatch(request)));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    messages,
    labels,
    units: () => requests.reduce((sum, request) => sum + priceOf(request), 0),
    answer,
    change(id, change) {
      const message = find(id);
      if (message) history.change(message, change);
    },
    deliver(message) {
      history.arrive(message);
      messages.unshift(message);
    },
    remove(id) {
      const index = messages.findIndex((candidate) => candidate.id === id);
      if (index >= 0) messages.splice(index, 1);
      history.remove(id);
    },
    loseRecords: history.lose,
    expireHistory: history.expire,
    inFlight: () => inFlight,
    intercept(next) {
      interceptor = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
