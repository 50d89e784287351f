import type { LabelChange } from '@mailsweep/contracts';
import { MailboxError } from '@mailsweep/mail/mailbox';
import { z } from 'zod';
import {
  type HistoryPage,
  HistoryPageSchema,
  type Label,
  type LabelList,
  LabelListSchema,
  LabelSchema,
  type LabelSize,
  LabelSizeSchema,
  type MailboxSize,
  MailboxSizeSchema,
  MESSAGE_FIELDS,
  type Message,
  type MessageLabels,
  MessageLabelsSchema,
  type MessageList,
  MessageListSchema,
  MessageSchema,
  type ModifiedMessage,
  ModifiedMessageSchema,
  type Profile,
  ProfileSchema,
  THREAD_FIELDS,
  type Thread,
  ThreadSchema,
} from './gmail-schemas.ts';

export interface GmailRequest<T> {
  method: 'GET' | 'POST';
  /** Path below the mailbox of the signed-in user, its parts already encoded. */
  path: string;
  query?: URLSearchParams;
  body?: unknown;
  response: z.ZodType<T>;
}

/** Most records of history that Gmail puts on a page. */
const HISTORY_PAGE_SIZE = 500;
/** The changes that concern messages already known; new mail shows in a list. */
const CHANGE_TYPES = ['labelAdded', 'labelRemoved', 'messageDeleted'];
const CHANGE_FIELDS =
  'id,labelsAdded(message/id,labelIds),labelsRemoved(message/id,labelIds),messagesDeleted/message/id';
const ADDED_FIELDS = 'messagesAdded/message(id,threadId,labelIds)';

const toItemPath = (collection: 'messages' | 'threads', id: string): string => {
  // A URL resolves these away, encoded or not, and the request would go elsewhere (WHATWG URL Standard, 4.4).
  if (['', '.', '..'].includes(id)) throw new MailboxError('not_found', 'There is nothing with such an id');
  return `${collection}/${encodeURIComponent(id)}`;
};

/** `users.messages.list`: a page of message ids, newest first. */
export const toMessageListRequest = (
  filters: URLSearchParams,
  page: { maxResults: number; pageToken: string | undefined },
): GmailRequest<MessageList> => {
  const query = new URLSearchParams(filters);
  query.set('maxResults', String(page.maxResults));
  if (page.pageToken !== undefined) query.set('pageToken', page.pageToken);
  return { method: 'GET', path: 'messages', query, response: MessageListSchema };
};

/**
 * `users.messages.get` in format `full`, the only one with MIME parts; the mask leaves the data of bodies out.
 *
 * @throws {MailboxError} `not_found` for an id that can be none
 */
export const toMessageRequest = (id: string): GmailRequest<Message> => ({
  method: 'GET',
  path: toItemPath('messages', id),
  query: new URLSearchParams({ format: 'full', fields: MESSAGE_FIELDS }),
  response: MessageSchema,
});

/**
 * `users.threads.get` in format `full`: every message of a conversation, trash included, oldest first. In format
 * `minimal` it costs the same, and the messages would have to be read as well.
 *
 * @throws {MailboxError} `not_found` for an id that can be none
 */
export const toThreadRequest = (threadId: string): GmailRequest<Thread> => ({
  method: 'GET',
  path: toItemPath('threads', threadId),
  query: new URLSearchParams({ format: 'full', fields: THREAD_FIELDS }),
  response: ThreadSchema,
});

/**
 * `users.messages.get` in format `minimal`: the labels of a message.
 *
 * @throws {MailboxError} `not_found` for an id that can be none
 */
export const toMessageLabelsRequest = (id: string): GmailRequest<MessageLabels> => ({
  method: 'GET',
  path: toItemPath('messages', id),
  query: new URLSearchParams({ format: 'minimal', fields: 'id,labelIds,historyId' }),
  response: MessageLabelsSchema,
});

/**
 * `users.messages.modify`. It may be sent twice without harm.
 *
 * @throws {MailboxError} `not_found` for an id that can be none
 */
export const toModifyRequest = (change: LabelChange & { id: string }): GmailRequest<ModifiedMessage> => ({
  method: 'POST',
  path: `${toItemPath('messages', change.id)}/modify`,
  query: new URLSearchParams({ fields: 'id,labelIds,historyId' }),
  body: { addLabelIds: change.added, removeLabelIds: change.removed },
  response: ModifiedMessageSchema,
});

/** `users.messages.batchModify`: up to 1,000 messages. Its response is empty, and it ignores unknown ids. */
export const toBatchModifyRequest = (ids: readonly string[], change: LabelChange): GmailRequest<unknown> => ({
  method: 'POST',
  path: 'messages/batchModify',
  body: { ids, addLabelIds: change.added, removeLabelIds: change.removed },
  response: z.unknown(),
});

/**
 * `users.history.list`: a page of what changed after a point of the history.
 *
 * @param options.withAdded - also the messages that were added
 */
export const toHistoryRequest = (
  startHistoryId: bigint,
  pageToken: string | undefined,
  { withAdded = false }: { withAdded?: boolean } = {},
): GmailRequest<HistoryPage> => {
  const entryFields = withAdded ? `${CHANGE_FIELDS},${ADDED_FIELDS}` : CHANGE_FIELDS;
  const query = new URLSearchParams({
    startHistoryId: String(startHistoryId),
    maxResults: String(HISTORY_PAGE_SIZE),
    fields: `history(${entryFields}),historyId,nextPageToken`,
  });
  for (const type of withAdded ? [...CHANGE_TYPES, 'messageAdded'] : CHANGE_TYPES) {
    query.append('historyTypes', type);
  }
  if (pageToken !== undefined) query.set('pageToken', pageToken);
  return { method: 'GET', path: 'history', query, response: HistoryPageSchema };
};

/** `users.getProfile`: the current history id. */
export const toProfileRequest = (): GmailRequest<Profile> => ({
  method: 'GET',
  path: 'profile',
  query: new URLSearchParams({ fields: 'historyId' }),
  response: ProfileSchema,
});

/** `users.getProfile`: how many messages the mailbox has, spam, trash, drafts and chats included. */
export const toMailboxSizeRequest = (): GmailRequest<MailboxSize> => ({
  method: 'GET',
  path: 'profile',
  query: new URLSearchParams({ fields: 'messagesTotal' }),
  response: MailboxSizeSchema,
});

/** `users.labels.get`: how many messages have a system label, and how many of them are unread. */
export const toLabelSizeRequest = (labelId: string): GmailRequest<LabelSize> => ({
  method: 'GET',
  path: `labels/${labelId}`,
  query: new URLSearchParams({ fields: 'messagesTotal,messagesUnread' }),
  response: LabelSizeSchema,
});

/** `users.labels.list`: every label of the mailbox. */
export const toLabelListRequest = (): GmailRequest<LabelList> => ({
  method: 'GET',
  path: 'labels',
  query: new URLSearchParams({ fields: 'labels(id,name,type)' }),
  response: LabelListSchema,
});

/** `users.labels.create`: a label that shows in Gmail's own list. */
export const toCreateLabelRequest = (name: string): GmailRequest<Label> => ({
  method: 'POST',
  path: 'labels',
  body: { name, labelListVisibility: 'labelShow', messageListVisibility: 'show' },
  response: LabelSchema,
});

/** Addresses that every mailbox has: a 404 is not about a message, conversation, label or point of the history. */
const FIXED_PATHS: ReadonlySet<string> = new Set(['profile', 'messages', 'labels']);

/** Whether a request names something that may not exist. */
export const namesItem = ({ path }: Pick<GmailRequest<unknown>, 'path'>): boolean => !FIXED_PATHS.has(path);

export const GMAIL_BASE_URL = 'https://gmail.googleapis.com';

const USER_PATH = '/gmail/v1/users/me/';
// Google compresses its responses only for a client whose name says gzip (Gmail API, "Improve performance").
const USER_AGENT = 'mailsweep (gzip)';

/**
 * The address below which all paths are; a path in it is preserved.
 *
 * @throws {TypeError} when `baseUrl` is no URL
 */
export const toRoot = (baseUrl: string): string => new URL(baseUrl).href.replace(/(?<!\/)\/+$/, '');

export const toTarget = ({ path, query }: Pick<GmailRequest<unknown>, 'path' | 'query'>): string =>
  `${USER_PATH}${path}${query === undefined ? '' : `?${query}`}`;

export const toHeaders = (accessToken: string): Record<string, string> => ({
  authorization: `Bearer ${accessToken}`,
  'user-agent': USER_AGENT,
});
