import {
  type FakeGmailBehaviour,
  type FakeLabel,
  type FakeMessage,
  type FakeResponse,
  fakeGmailDefaults,
  type RecordedRequest,
  refusal,
} from './fake-types.ts';
import { createHistory } from './history.ts';
import { createPageTokens, INVALID_PAGE_TOKEN, type PageTokens } from './page-tokens.ts';

/** What a fake starts with. */
export interface FakeGmailContent {
  messages?: FakeMessage[];
  labels?: FakeLabel[];
  /** What differs from the usual behaviour. */
  behaviour?: Partial<FakeGmailBehaviour>;
  /** The present, in milliseconds since 1970, by which records become visible. */
  nowMs?: () => number;
}

const MESSAGES_PATH = '/gmail/v1/users/me/messages';
const THREADS_PATH = '/gmail/v1/users/me/threads/';
const LABELS_PATH = '/gmail/v1/users/me/labels';
const HISTORY_PATH = '/gmail/v1/users/me/history';
const PROFILE_PATH = '/gmail/v1/users/me/profile';

const DRAFT_REFUSAL = refusal(400, 'invalidArgument', 'Invalid label: INBOX');

const FLAT_ESTIMATE = 201;

/** The one search that is understood: without it, every action on messages that were never listed would read each. */
const NO_MAIL_SEARCH = 'in:drafts OR in:chats';

const listMessages = (
  messages: FakeMessage[],
  query: URLSearchParams,
  { behaviour, pageTokens }: { behaviour: FakeGmailBehaviour; pageTokens: PageTokens },
): FakeResponse => {
  const labelIds = query.getAll('labelIds');
  const isHidden = ({ labelIds: own }: FakeMessage) =>
    ['SPAM', 'TRASH'].some((label) => own.includes(label) && !labelIds.includes(label));
  const isOutsideSearch = ({ labelIds: own }: FakeMessage) =>
    query.get('q') === NO_MAIL_SEARCH && !own.includes('DRAFT') && !own.includes('CHAT');
  const matching = messages.filter(
    (message) =>
      !isHidden(message) &&
      !isOutsideSearch(message) &&
      labelIds.every((label) => message.labelIds.includes(label)),
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
const getThread = (messages: FakeMessage[], threadId: string): FakeResponse => {
  const own = messages.map(withThreadId).filter((message) => message.threadId === threadId);
  return own.length === 0 ? refusal(404, 'notFound') : { body: { id: threadId, messages: own.toReversed() } };
};

interface ModifyBody {
  ids?: string[];
  addLabelIds: string[];
  removeLabelIds: string[];
}

const createLabel = (labels: FakeLabel[], body: unknown): FakeResponse => {
  const { name } = body as { name: string };
  if (labels.some((label) => label.name.toLowerCase() === name.toLowerCase())) {
    return refusal(409, 'aborted', 'Label name exists or conflicts');
  }
  const label = { id: `Label_${labels.length + 1}`, name, type: 'user' };
  labels.push(label);
  return { body: label };
};

/** Messages, labels and history, and the responses of the API's methods that read and change them. */
export const createFakeMailbox = (content: FakeGmailContent) => {
  const behaviour = { ...fakeGmailDefaults, ...content.behaviour };
  const pageTokens = createPageTokens(behaviour);
  const messages = content.messages ?? [];
  const labels = content.labels ?? [];
  const history = createHistory(messages, { pageTokens, behaviour, nowMs: content.nowMs ?? Date.now });
  const find = (id: string) => messages.find((candidate) => candidate.id === id);

  const respond = ({ method, path, query, body }: RecordedRequest): FakeResponse => {
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

  const batchModify = (body: ModifyBody): FakeResponse => {
    if (body.ids?.some((id) => isRefused(find(id)))) return DRAFT_REFUSAL;
    for (const id of body.ids ?? []) {
      const message = find(id);
      if (message) modify(message, body);
    }
    return { status: 204, body: '' };
  };

  return {
    messages,
    labels,
    respond,
    change(id: string, change: { added?: string[]; removed?: string[] }) {
      const message = find(id);
      if (message) history.change(message, change);
    },
    deliver(message: FakeMessage) {
      history.arrive(message);
      messages.unshift(message);
    },
    remove(id: string) {
      const index = messages.findIndex((candidate) => candidate.id === id);
      if (index >= 0) messages.splice(index, 1);
      history.remove(id);
    },
    loseRecords: history.lose,
    expireHistory: history.expire,
  };
};
