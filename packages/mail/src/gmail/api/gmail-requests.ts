import type { LabelChange } from '@mailsweep/contracts';
import { MailboxError } from '@mailsweep/mail/mailbox';
import { z } from 'zod';

// Gmail leaves out what is empty, so all but identifiers may be missing. Unknown fields are dropped, above all the
// `data` of a body: no mail text gets past this file, even from a server that ignores the field mask.

/** A point of the mailbox's history: a whole number of any length, in decimal digits. */
const HistoryIdSchema = z
  .string()
  .regex(/^\d{1,39}$/)
  .transform(BigInt);

const MessageHeaderSchema = z.object({
  name: z.string(),
  value: z
    .string()
    .nullish()
    .transform((value) => value ?? ''),
});

const MessagePartSchema = z.object({
  mimeType: z.string().nullish(),
  filename: z.string().nullish(),
  headers: z.array(MessageHeaderSchema).nullish(),
  body: z.object({ size: z.number().min(0).nullish(), attachmentId: z.string().nullish() }).nullish(),
  parts: z.array(z.unknown()).nullish(),
});
/** A node of a message's MIME tree, the root included. */
export type MessagePart = Omit<z.infer<typeof MessagePartSchema>, 'parts'> & {
  parts?: MessagePart[] | null | undefined;
};

/** Parts nested deeper are left out; no mail has them for its reader's sake. */
const MAX_PART_DEPTH = 100;

/** A MIME tree, read level by level: a sender nests as deep as they like, and the call stack is short. */
const PayloadSchema = z.unknown().transform((root, context): MessagePart => {
  const whole: z.infer<typeof MessagePartSchema> = { parts: [root] };
  let level = [whole];
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: typeof level = [];
    for (const part of level) {
      const children = z.array(MessagePartSchema).safeParse(depth < MAX_PART_DEPTH ? (part.parts ?? []) : []);
      if (!children.success) {
        context.addIssue('a part is not as the reference of users.messages describes it');
        return z.NEVER;
      }
      if (part.parts) part.parts = children.data;
      next.push(...children.data);
    }
    level = next;
  }
  return (whole as MessagePart).parts?.[0] ?? {};
});

/** Response of `users.messages.get` with format `full` under {@link MESSAGE_FIELDS}. */
export const MessageSchema = z.object({
  id: z.string(),
  threadId: z.string().nullish(),
  labelIds: z.array(z.string()).nullish(),
  historyId: HistoryIdSchema.nullish(),
  snippet: z.string().nullish(),
  internalDate: z.string().nullish(),
  sizeEstimate: z.number().int().min(0).nullish(),
  payload: PayloadSchema.nullish(),
});
export type Message = z.infer<typeof MessageSchema>;

/** Response of `users.threads.get` with format `full` under {@link THREAD_FIELDS}. */
const ThreadSchema = z.object({ messages: z.array(MessageSchema).nullish() });
type Thread = z.infer<typeof ThreadSchema>;

/** Response of `users.messages.get` with format `minimal`: the labels, and the last history record of the message. */
const MessageLabelsSchema = z.object({
  labelIds: z.array(z.string()).nullish(),
  historyId: HistoryIdSchema.nullish(),
});
export type MessageLabels = z.infer<typeof MessageLabelsSchema>;

/** Response of `users.messages.modify`: the labels after it, true up to the history id. */
const ModifiedMessageSchema = z.object({
  id: z.string(),
  labelIds: z.array(z.string()).nullish(),
  historyId: HistoryIdSchema.nullish(),
});
export type ModifiedMessage = z.infer<typeof ModifiedMessageSchema>;

/** Response of `users.messages.list`. */
export const MessageListSchema = z.object({
  messages: z.array(z.object({ id: z.string(), threadId: z.string().nullish() })).nullish(),
  nextPageToken: z.string().nullish(),
});
type MessageList = z.infer<typeof MessageListSchema>;

const ChangedMessageSchema = z.object({ message: z.object({ id: z.string() }) });
const ChangedLabelsSchema = ChangedMessageSchema.extend({ labelIds: z.array(z.string()).nullish() });

const AddedMessageSchema = z.object({
  message: z.object({
    id: z.string(),
    threadId: z.string().nullish(),
    labelIds: z.array(z.string()).nullish(),
  }),
});

/** Response of `users.history.list`: changes after a point, oldest first, and the current history id. */
const HistoryPageSchema = z.object({
  history: z
    .array(
      z.object({
        id: HistoryIdSchema,
        labelsAdded: z.array(ChangedLabelsSchema).nullish(),
        labelsRemoved: z.array(ChangedLabelsSchema).nullish(),
        messagesDeleted: z.array(ChangedMessageSchema).nullish(),
        messagesAdded: z.array(AddedMessageSchema).nullish(),
      }),
    )
    .nullish(),
  historyId: HistoryIdSchema.nullish(),
  nextPageToken: z.string().nullish(),
});
export type HistoryPage = z.infer<typeof HistoryPageSchema>;

/** Response of `users.getProfile`: the current history id. */
const ProfileSchema = z.object({ historyId: HistoryIdSchema });
type Profile = z.infer<typeof ProfileSchema>;

const CountSchema = z.number().int().min(0);

/** Response of `users.getProfile`: how many messages the whole mailbox has. */
const MailboxSizeSchema = z.object({ messagesTotal: CountSchema });
type MailboxSize = z.infer<typeof MailboxSizeSchema>;

/** Response of `users.labels.get`: how many messages have the label, and how many of them are unread. */
const LabelSizeSchema = z.object({ messagesTotal: CountSchema, messagesUnread: CountSchema });
type LabelSize = z.infer<typeof LabelSizeSchema>;

/** One label; Gmail calls its own `system` and a user's `user`. */
const LabelSchema = z.object({ id: z.string(), name: z.string(), type: z.string().nullish() });
type Label = z.infer<typeof LabelSchema>;

/** Response of `users.labels.list`. */
const LabelListSchema = z.object({ labels: z.array(LabelSchema).nullish() });
type LabelList = z.infer<typeof LabelListSchema>;

/** Body of an error response (Google Cloud API design guide, "Errors"), the old `errors` list and the new `details`. */
export const GoogleErrorSchema = z.object({
  error: z.object({
    message: z.string().nullish(),
    errors: z.array(z.object({ reason: z.string().nullish() })).nullish(),
    details: z.array(z.object({ reason: z.string().nullish() })).nullish(),
  }),
});

/** How many levels of MIME parts are asked for: attachments of a mail forwarded within forwarded mails included. */
const MASK_DEPTH = 8;

const partFields = (depth: number): string => {
  const own = 'mimeType,filename,headers(name,value),body(size,attachmentId)';
  return depth === 0 ? own : `${own},parts(${partFields(depth - 1)})`;
};

/** The partial-response mask of a whole message: everything an email is made of, but never the data of a body. */
export const MESSAGE_FIELDS = `${Object.keys(MessageSchema.omit({ payload: true }).shape)},payload(${partFields(MASK_DEPTH)})`;

/** The same for every message of a conversation. */
const THREAD_FIELDS = `messages(${MESSAGE_FIELDS})`;

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
