import { setTimeout as delay } from 'node:timers/promises';
import { parseJson } from '@mailsweep/service-kit/http-client';
import { z } from 'zod';
import type { BehaviourSettings } from '../behaviour.ts';
import type { HistoryJournal } from '../history/history-journal.ts';
import type { FaultEffect } from '../limits/faults.ts';
import type { MailboxChanges } from '../mailbox/mailbox-changes.ts';
import { composeMime, type Message } from '../mailbox/message.ts';
import { headerOf, leavesOf, type MimePart, parseMime } from '../mailbox/mime.ts';
import { googleError, invalidArgument, notFound } from '../protocol/google-errors.ts';
import { type Incoming, isSuccess, jsonResponse, type SandboxResponse } from '../response.ts';
import { type PageTokens, readPageSize } from '../search/page-tokens.ts';
import { looksEverywhere, readSearch, SearchError, toComparableName } from '../search/read-search.ts';
import { applyFieldMask } from './field-mask.ts';
import type { Label, Mailbox } from './mailbox.ts';

const PLACES_ASIDE = ['SPAM', 'TRASH'];
/** What Gmail estimates as long as there is more (fixture messages_list_inbox; openclaw/gogcli#983). */
const FLAT_ESTIMATE = 201;
/** Ids are hexadecimal; those of tests are words. */
const MALFORMED_ID = /\s/;
/** users.messages.batchModify: "There is a limit of 1000 ids per request". */
const MAX_BATCH = 1_000;
const SNIPPET_LENGTH = 140;
const WATCH_MS = 24 * 60 * 60 * 1_000;

const text = z.string().default('');
const NewMessageSchema = z.object({
  /** MIME text; else it is composed of the fields below. */
  raw: z.string().optional(),
  from: text,
  to: text,
  subject: text,
  text,
  threadId: z.string().optional(),
  internalDate: z.string().optional(),
  labelIds: z.array(z.string()).default([]),
});
const NewDraftSchema = z.object({ message: NewMessageSchema });
const LabelBodySchema = z.object({
  name: z.string().exactOptional(),
  messageListVisibility: z.string().exactOptional(),
  labelListVisibility: z.string().exactOptional(),
});
const IdSchema = z.object({ id: z.string() });
const IdsSchema = z.object({ ids: z.array(z.string()) });
const WatchSchema = z.object({ topicName: z.string().min(1) });

/** Labels that Gmail alone gives (googleapis/google-api-php-client#1254; CHAT: GAM-team/got-your-back#135). */
const UNCHANGEABLE = ['SENT', 'DRAFT', 'CHAT'];
const PLACES = ['INBOX', 'SPAM', 'TRASH'];
/** Names that no label may have, some of them in the language of the account (GAM-team/got-your-back#95, #109, #350, #442). */
const RESERVED_NAMES = new Set(
  'inbox sent draft drafts chat chats trash spam bin muted migrated important starred unread scheduled snoozed enviado'.split(
    ' ',
  ),
);

const LabelIdsSchema = z.array(z.string()).default([]);
const LabelChangeSchema = z.object({
  ids: LabelIdsSchema,
  addLabelIds: LabelIdsSchema,
  removeLabelIds: LabelIdsSchema,
});
type LabelChange = z.infer<typeof LabelChangeSchema>;

/** Why Gmail takes no such change of any message; undefined when it does. */
const findLabelRefusal = ({ addLabelIds, removeLabelIds }: LabelChange): SandboxResponse | undefined => {
  const labelIds = [...addLabelIds, ...removeLabelIds];
  // googleapis/google-api-nodejs-client#312
  if (labelIds.length === 0) return invalidArgument('No label add or removes specified');
  const unchangeable = labelIds.find((labelId) => UNCHANGEABLE.includes(labelId));
  if (unchangeable !== undefined) return invalidArgument(`Invalid label: ${unchangeable}`);
  // gauteh/lieer#26
  if (PLACES.filter((place) => addLabelIds.includes(place)).length > 1) {
    return invalidArgument('Can only add one of: INBOX, SPAM, TRASH');
  }
  return undefined;
};

/**
 * A change with what else Gmail does: mail that is moved to the trash or to spam leaves the inbox (fixtures
 * message_modify_response and message_trash_response; openclaw/gogcli#459).
 */
const completeLabelChange = ({ addLabelIds, removeLabelIds }: LabelChange) => ({
  added: addLabelIds,
  removed: addLabelIds.some((labelId) => labelId === 'TRASH' || labelId === 'SPAM')
    ? [...removeLabelIds, 'INBOX']
    : removeLabelIds,
});

/** Drafts can't have any label other than DRAFT ("Create and send draft emails"). */
const draftRefusal = (): SandboxResponse => invalidArgument('Invalid label: DRAFT');

/** A label of the user's that was deleted (elie222/inbox-zero, apps/web/utils/gmail/label.ts, expects such words). */
const labelNotFound = (): SandboxResponse => invalidArgument('labelId not found');

/** Why no label of this name can be made beside the present ones; undefined when it can. */
const findNameRefusal = (name: string, present: readonly Label[]): SandboxResponse | undefined => {
  if (name.trim() === '' || RESERVED_NAMES.has(name.trim().toLowerCase())) {
    return invalidArgument('Invalid label name');
  }
  const wanted = toComparableName(name);
  if (!present.some((label) => toComparableName(label.name) === wanted)) return undefined;
  // gauteh/lieer#207
  return googleError(409, 'aborted', 'Label name exists or conflicts');
};

/** A response, or what makes one once the change is in the history: the history id of a message is that of its change. */
type Reply = SandboxResponse | (() => SandboxResponse);

const noContent = (): SandboxResponse => ({ status: 204, headers: {}, body: '' });
const invalidBody = (): SandboxResponse => invalidArgument('Invalid JSON payload received.');

/** The body of a request; undefined when it is malformed. */
const readBody = <T extends z.ZodType>(schema: T, { body }: Incoming): z.output<T> | undefined =>
  schema.safeParse(parseJson(body || '{}')).data;

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const toSnippet = ({ text, subject }: Message): string =>
  (text.replaceAll(/\s+/g, ' ').trim() || subject)
    .slice(0, SNIPPET_LENGTH)
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

const toFileId = ({ partId }: MimePart): string => `file-${partId}`;

/** A part of a message, with what is below it (users.messages, "MessagePart"). */
const toPayload = (message: Message, part: MimePart): object => {
  const { partId, mimeType, filename, headers, bytes, isFile, parts } = part;
  const head = { partId, mimeType, filename, headers };
  if (parts.length > 0) {
    return { ...head, body: { size: 0 }, parts: parts.map((inner) => toPayload(message, inner)) };
  }
  const content = isFile ? { attachmentId: toFileId(part) } : { data: bytes.toString('base64url') };
  return { ...head, body: { size: message.sizeOf(part), ...content } };
};

const toMetadata = (message: Message, names: readonly string[]): object => {
  const { partId, mimeType, filename, headers } = message.readParts();
  const wanted = names.map((name) => name.toLowerCase());
  const shown = headers.filter(({ name }) => wanted.length === 0 || wanted.includes(name.toLowerCase()));
  return { partId, mimeType, filename, headers: shown, body: { size: 0 } };
};

const toDraftId = (messageId: string): string => `r-${messageId}`;

/** The Gmail API of the sandbox for one mailbox, for callers whose token is known to be good. */
export const createGmailApi = (options: {
  mailbox: Mailbox;
  journal: HistoryJournal;
  behaviour: BehaviourSettings;
  changes: Pick<MailboxChanges, 'now'>;
  pageTokens: PageTokens;
  nowMs: () => number;
}) => {
  const { mailbox, journal, behaviour, changes, pageTokens, nowMs } = options;
  const { email, messages, labels } = mailbox;

  const historyIdOf = ({ id, receivedAtMs }: Message) => journal.idOf(email, id, receivedAtMs);

  const toResource = (message: Message, query: URLSearchParams) => {
    const format = query.get('format') ?? 'full';
    const { id, threadId, labelIds } = message;
    return {
      id,
      threadId,
      // An empty list is left out, as everywhere in Gmail's responses.
      ...(labelIds.length > 0 && { labelIds }),
      snippet: toSnippet(message),
      historyId: historyIdOf(message),
      internalDate: String(message.receivedAtMs),
      sizeEstimate: message.sizeBytes,
      ...(format === 'raw' && { raw: message.readMime().toString('base64url') }),
      ...(format === 'full' && { payload: toPayload(message, message.readParts()) }),
      ...(format === 'metadata' && { payload: toMetadata(message, query.getAll('metadataHeaders')) }),
    };
  };

  /** The message as the change left it, before Gmail turned its importance. */
  const replyWith = ({ ...changed }: Message): Reply => {
    return () => {
      const whole = toResource(changed, new URLSearchParams());
      const { id, threadId, labelIds } = whole;
      const short = { id, threadId, ...(labelIds && { labelIds }) };
      return jsonResponse(200, behaviour.now.shortChangeResponses ? short : whole);
    };
  };

  /** Newest first. @throws {SearchError} */
  const search = (query: URLSearchParams): Message[] => {
    const q = query.get('q') ?? '';
    const { setAside } = changes.now;
    const isFound = readSearch(q, { nowMs: nowMs(), behaviour: behaviour.now, labels, setAside });
    const wanted = query.getAll('labelIds');
    const isEverywhere =
      looksEverywhere(q) ||
      query.get('includeSpamTrash') === 'true' ||
      wanted.some((labelId) => PLACES_ASIDE.includes(labelId));
    return messages.filter(
      (message) =>
        wanted.every((labelId) => message.labelIds.includes(labelId)) &&
        (isEverywhere || !message.labelIds.some((labelId) => PLACES_ASIDE.includes(labelId))) &&
        isFound(message),
    );
  };

  /** A page of what a search finds; an empty list is left out (fixture drafts_list). */
  const list = (name: string, { query }: Incoming, toEntries: (found: Message[]) => object[]) => {
    const offset = pageTokens.read(query.get('pageToken'));
    if (offset === undefined) return invalidArgument('Invalid pageToken');
    try {
      const all = toEntries(search(query));
      const pageSize = readPageSize(query);
      const page = all.slice(offset, offset + pageSize);
      const isFull = page.length === pageSize;
      const hasToken = offset + pageSize < all.length || (isFull && behaviour.now.tokenAfterFullPage);
      const estimate = hasToken ? FLAT_ESTIMATE : page.length;
      return jsonResponse(200, {
        ...(page.length > 0 && { [name]: page }),
        ...(hasToken && { nextPageToken: pageTokens.issue(offset + pageSize) }),
        resultSizeEstimate: behaviour.now.flatEstimate ? estimate : all.length,
      });
    } catch (error) {
      if (error instanceof SearchError) return invalidArgument(error.message);
      throw error;
    }
  };

  const hasUnknown = (labelIds: readonly string[]): boolean => labelIds.some((id) => !labels.has(id));

  /** Changes labels of messages, of which none is one, or some are drafts. */
  const changeLabels = (changed: readonly Message[], request: Incoming): SandboxResponse | undefined => {
    const change = readBody(LabelChangeSchema, request);
    if (change === undefined) return invalidBody();
    const refusal = findLabelRefusal(change);
    if (refusal !== undefined) return refusal;
    const { draftChanges } = behaviour.now;
    const isTaken = (message: Message): boolean =>
      draftChanges === 'accepted' || !message.labelIds.includes('DRAFT');
    const taken = changed.filter(isTaken);
    const isBatch = request.path.endsWith('/batchModify');
    if (taken.length < changed.length && (draftChanges === 'refused' || !isBatch)) return draftRefusal();
    if (hasUnknown([...change.addLabelIds, ...change.removeLabelIds])) return labelNotFound();
    for (const message of taken) mailbox.changeLabels(message, completeLabelChange(change));
    return undefined;
  };

  const batchModify = (request: Incoming): SandboxResponse => {
    const ids = readBody(LabelChangeSchema, request)?.ids ?? [];
    if (ids.length > MAX_BATCH) return invalidArgument(`At most ${MAX_BATCH} ids are allowed.`);
    if (ids.some((id) => MALFORMED_ID.test(id))) return invalidArgument('Invalid ids value');
    const changed = ids.flatMap((id) => mailbox.find(id) ?? []);
    return changeLabels(changed, request) ?? noContent();
  };

  /** Takes a message in; a refusal when it says too little, or names an unknown label. */
  const add = (given: z.output<typeof NewMessageSchema>, labelIds: string[]): Message | SandboxResponse => {
    if (hasUnknown(labelIds)) return labelNotFound();
    const { raw, threadId, internalDate } = given;
    if (raw === undefined && (given.from === '' || given.to === '')) {
      return invalidArgument('A raw MIME message or explicit from/to fields are required.');
    }
    const mime = raw === undefined ? composeMime(given) : Buffer.from(raw, 'base64url');
    const sentAtMs = Date.parse(headerOf(parseMime(mime).headers, 'date') ?? '') || nowMs();
    return mailbox.add(mime, { threadId, labelIds, receivedAtMs: Number(internalDate ?? sentAtMs) });
  };

  /** `insert`, `import` and `send`. */
  const addMessage = (request: Incoming, verb: string | undefined): Reply => {
    const given = readBody(NewMessageSchema, request);
    if (given === undefined) return invalidBody();
    const { labelIds } = given;
    const usual = verb === 'import' && labelIds.length === 0 ? ['INBOX', 'UNREAD'] : labelIds;
    const sent = { ...given, from: given.from || email };
    const added = verb === 'send' ? add(sent, [...labelIds, 'SENT']) : add(given, usual);
    return 'status' in added ? added : replyWith(added);
  };

  /** What is done to one message, or to each of a conversation. */
  const act = (own: readonly Message[], request: Incoming, verb: string | undefined) => {
    if (request.method === 'DELETE') {
      for (const message of own) mailbox.remove(message);
      return noContent();
    }
    // Untrashing restores no other label (fixtures message_trash_response and message_untrash_response).
    const body = { trash: { addLabelIds: ['TRASH'] }, untrash: { removeLabelIds: ['TRASH'] } }[verb ?? ''];
    if (body === undefined && verb !== 'modify') return notFound();
    if (body === undefined) return changeLabels(own, request);
    const change = LabelChangeSchema.parse(body);
    for (const message of own) mailbox.changeLabels(message, completeLabelChange(change));
    return undefined;
  };

  const handleMessages = (request: Incoming, [id, verb, fileId]: readonly string[]): Reply => {
    const { method, query } = request;
    const key = `${method} ${id ?? ''}`;
    if (key === 'GET ') {
      return list('messages', request, (found) => found.map((it) => ({ id: it.id, threadId: it.threadId })));
    }
    if (key === 'POST batchModify') return batchModify(request);
    if (key === 'POST batchDelete') {
      const gone = readBody(IdsSchema, request)?.ids.flatMap((each) => mailbox.find(each) ?? []);
      return gone ? (act(gone, { ...request, method: 'DELETE' }, undefined) ?? noContent()) : invalidBody();
    }
    if (['POST ', 'POST import', 'POST send'].includes(key)) return addMessage(request, id);
    const message = mailbox.find(id ?? '');
    if (message === undefined) return notFound();
    if (method !== 'GET') return act([message], request, verb) ?? replyWith(message);
    if (verb === undefined) return jsonResponse(200, toResource(message, query));
    const file = leavesOf(message.readParts()).find((part) => toFileId(part) === fileId);
    if (verb !== 'attachments' || file === undefined) return notFound();
    return jsonResponse(200, { size: file.bytes.length, data: file.bytes.toString('base64url') });
  };

  /** Trash and spam included, for which there is no parameter (Significant-Gravitas/AutoGPT#9967); oldest message first (fixture thread_get_metadata). */
  const handleThreads = (request: Incoming, [id, verb]: readonly string[]): Reply => {
    if (id === undefined) {
      return list('threads', request, (found) =>
        [...Map.groupBy(found, ({ threadId }) => threadId)].map(([threadId, [newest]]) => ({
          id: threadId,
          ...(newest && { snippet: toSnippet(newest), historyId: historyIdOf(newest) }),
        })),
      );
    }
    const own = messages.filter(({ threadId }) => threadId === id).toReversed();
    const newest = own.at(-1);
    if (newest === undefined) return notFound();
    const toThread = (query: URLSearchParams) =>
      jsonResponse(200, {
        id,
        historyId: historyIdOf(newest),
        messages: own.map((message) => toResource(message, query)),
      });
    if (request.method === 'GET') return toThread(request.query);
    return act(own, request, verb) ?? (() => toThread(new URLSearchParams({ format: 'minimal' })));
  };

  const handleDrafts = (request: Incoming, [id]: readonly string[]): Reply => {
    const { method, query } = request;
    const toDraft = (message: Message) => ({
      id: toDraftId(message.id),
      message: { id: message.id, threadId: message.threadId },
    });
    if (id === undefined && method === 'GET') {
      const onlyDrafts = new URLSearchParams([...query, ['labelIds', 'DRAFT']]);
      return list('drafts', { ...request, query: onlyDrafts }, (found) => found.map(toDraft));
    }
    if (id === undefined) {
      const given = readBody(NewDraftSchema, request)?.message;
      if (given === undefined) return invalidBody();
      const draft = add({ ...given, from: given.from || email, to: given.to || email }, ['DRAFT']);
      return 'status' in draft ? draft : jsonResponse(200, toDraft(draft));
    }
    const wanted = id === 'send' ? readBody(IdSchema, request)?.id : id;
    const message = messages.find((each) => toDraftId(each.id) === wanted);
    if (!message?.labelIds.includes('DRAFT')) return notFound();
    if (method === 'GET')
      return jsonResponse(200, { ...toDraft(message), message: toResource(message, query) });
    if (method === 'DELETE') return act([message], request, undefined) ?? noContent();
    if (id !== 'send') return notFound();
    mailbox.changeLabels(message, { added: ['SENT'], removed: ['DRAFT'] });
    return replyWith(message);
  };

  const toCounted = (label: Label) => {
    const own = messages.filter(({ labelIds }) => labelIds.includes(label.id));
    const unread = own.filter(({ labelIds }) => labelIds.includes('UNREAD'));
    const countThreads = (some: Message[]) => new Set(some.map(({ threadId }) => threadId)).size;
    return {
      ...label,
      messagesTotal: own.length,
      messagesUnread: unread.length,
      threadsTotal: countThreads(own),
      threadsUnread: countThreads(unread),
    };
  };

  const handleLabels = (request: Incoming, [id]: readonly string[]): SandboxResponse => {
    const { method } = request;
    const all = [...labels.values()].toSorted(
      (one, other) => one.type.localeCompare(other.type) || one.name.localeCompare(other.name),
    );
    // Counts are in labels.get alone (fixtures labels_list and label_get_inbox).
    if (id === undefined && method === 'GET') return jsonResponse(200, { labels: all });
    const label = id === undefined ? undefined : labels.get(id);
    if (id !== undefined && label === undefined) return notFound();
    if (method === 'GET') return jsonResponse(200, label && toCounted(label));
    if (label?.type === 'system') return invalidArgument('System labels cannot be changed.');
    if (label && method === 'DELETE') {
      mailbox.removeLabel(label.id);
      return noContent();
    }
    const { name, ...visibility } = readBody(LabelBodySchema, request) ?? {};
    const others = all.filter((other) => other !== label);
    const refusal =
      label && name === undefined ? undefined : findNameRefusal(name ?? '', label ? others : all);
    if (refusal !== undefined) return refusal;
    const saved = mailbox.saveLabel(label?.id, { ...visibility, ...(name && { name: name.trim() }) });
    if (label) return jsonResponse(200, toCounted(saved));
    // No type, unlike in other responses (fixture label_create_response).
    const { type: _, ...made } = saved;
    return jsonResponse(200, made);
  };

  const handleWatch = (request: Incoming): SandboxResponse => {
    if (readBody(WatchSchema, request) === undefined) return invalidArgument('Topic name is required.');
    const expiration = String(nowMs() + WATCH_MS);
    return jsonResponse(200, { historyId: journal.currentId(email), expiration });
  };

  const getProfile = (): SandboxResponse =>
    jsonResponse(200, {
      emailAddress: email,
      messagesTotal: messages.length,
      threadsTotal: new Set(messages.map(({ threadId }) => threadId)).size,
      historyId: journal.currentId(email),
    });

  const ROUTES: Record<string, (request: Incoming, path: readonly string[]) => Reply> = {
    messages: handleMessages,
    threads: handleThreads,
    drafts: handleDrafts,
    labels: handleLabels,
    watch: handleWatch,
    stop: noContent,
    profile: getProfile,
    history: (request) => journal.list(email, request),
  };

  return {
    handle: async (request: Incoming, effect: FaultEffect): Promise<SandboxResponse> => {
      const [userId, resource = '', ...path] = request.path.split('/').slice(4).map(decodeURIComponent);
      const route = ROUTES[resource];
      if ((userId !== 'me' && userId !== email) || route === undefined) return notFound();
      const { batchModifyMs, labelDeletionInHistory } = behaviour.now;
      if (batchModifyMs > 0 && request.path.endsWith('/batchModify')) await delay(batchModifyMs);
      const reply = route(request, path);
      const isHidden = resource === 'labels' && request.method === 'DELETE' && !labelDeletionInHistory;
      // Before the response: a client may be told of nothing that a kill takes back.
      mailbox.commit(isHidden ? Number.POSITIVE_INFINITY : effect.lostHistoryRecords);
      const response = typeof reply === 'function' ? reply() : reply;
      const fields = request.query.get('fields');
      if (fields === null || !isSuccess(response) || response.body === '') return response;
      return { ...response, body: JSON.stringify(applyFieldMask(JSON.parse(response.body), fields)) };
    },
  };
};
export type GmailApi = ReturnType<typeof createGmailApi>;
