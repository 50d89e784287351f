import type { BehaviourSettings } from '../behaviour.ts';
import { createHistoryJournal } from '../history/history-journal.ts';
import type { FaultEffect } from '../limits/faults.ts';
import type { Emulator } from '../mailbox/emulator.ts';
import type { MailboxChanges } from '../mailbox/mailbox-changes.ts';
import type { MessageFacts } from '../mailbox/message-facts.ts';
import { parseResponse, ThreadSchema } from '../protocol/gmail-responses.ts';
import { notFound } from '../protocol/google-errors.ts';
import { type Incoming, isSuccess, jsonResponse, type SandboxResponse } from '../response.ts';
import { createMessageList } from '../search/message-list.ts';
import { createMessageSearch, toNativeQuery } from '../search/message-search.ts';
import type { PageTokens } from '../search/page-tokens.ts';
import { applyFieldMask } from './field-mask.ts';
import { createLabelApi } from './label-api.ts';
import { createMailboxMutations } from './mailbox-mutations.ts';
import { createMessageChanges } from './message-changes.ts';

/** Paths whose response is a whole message. */
const MESSAGE_PATH = /^\/gmail\/v1\/users\/[^/]+\/messages\/[^/]+$/;
const THREAD_PATH = /^\/gmail\/v1\/users\/[^/]+\/threads\/[^/]+$/;
const LABELS_PATH = /^\/gmail\/v1\/users\/[^/]+\/labels(\/[^/]+)?$/;

/**
 * The Gmail API of the sandbox, for callers whose token is known to be good: the emulator's, plus a profile, all
 * search operators of search-terms.ts, true sizes, field masks, the rules of label-rules.ts, and a history of our own.
 */
export const createGmailApi = async (options: {
  emulator: Emulator;
  facts: MessageFacts;
  changes: MailboxChanges;
  emails: readonly string[];
  behaviour: BehaviourSettings;
  pageTokens: PageTokens;
  nowMs: () => number;
}) => {
  const { emulator, facts, behaviour, pageTokens, nowMs } = options;
  const search = createMessageSearch({ emulator, facts });
  const journal = createHistoryJournal({ behaviour, pageTokens, nowMs });
  const mutations = await createMailboxMutations({ ...options, journal });

  const forward = (
    email: string,
    { method, path, query, headers, body }: Incoming,
  ): Promise<SandboxResponse> =>
    emulator.call({ method, path, query, contentType: headers['content-type'], body, email });

  const complete = (email: string, message: unknown): unknown =>
    facts.complete(message, (id, historyId) => journal.idOf(email, id, historyId));

  const list = createMessageList({ forward, search, behaviour, pageTokens, nowMs });
  const labels = createLabelApi({ forward, mutations, behaviour });
  const messageChanges = createMessageChanges({ emulator, forward, search, mutations, behaviour, complete });

  const getProfile = async (email: string): Promise<SandboxResponse> => {
    const messages = await search.listAll(email, toNativeQuery({ includeSpamTrash: true }));
    return jsonResponse(200, {
      emailAddress: email,
      messagesTotal: messages.length,
      threadsTotal: new Set(messages.map(({ threadId }) => threadId)).size,
      historyId: journal.currentId(email),
    });
  };

  /** Trash and spam included, for which there is no parameter (Significant-Gravitas/AutoGPT#9967); oldest message first (fixture thread_get_metadata). */
  const getThread = async (email: string, request: Incoming): Promise<SandboxResponse> => {
    const query = new URLSearchParams(request.query);
    query.set('includeSpamTrash', 'true');
    const given = await forward(email, { ...request, query });
    if (!isSuccess(given)) return given;
    const { id, historyId, messages } = parseResponse(ThreadSchema, given);
    const newest = messages.at(-1)?.id ?? '';
    return jsonResponse(200, {
      id,
      historyId: journal.idOf(email, newest, historyId),
      messages: messages.map((message) => complete(email, message)),
    });
  };

  const routeCall = async (
    email: string,
    request: Incoming,
    effect: FaultEffect,
  ): Promise<SandboxResponse> => {
    const { method, path } = request;
    if (LABELS_PATH.test(path)) return await labels.handle(email, request);
    if (method !== 'GET') return await messageChanges.handle(email, request, effect);
    if (path.endsWith('/profile')) return await getProfile(email);
    if (path.endsWith('/messages')) return await list(email, request);
    if (path.endsWith('/history')) return journal.list(email, request);
    if (THREAD_PATH.test(path)) return await getThread(email, request);
    const given = await forward(email, request);
    return MESSAGE_PATH.test(path) ? mapJson(given, (message) => complete(email, message)) : given;
  };

  return {
    /** Handles a call on behalf of the user with this address. */
    handle: async (email: string, request: Incoming, effect: FaultEffect): Promise<SandboxResponse> => {
      const userId = request.path.split('/')[4];
      if (userId !== 'me' && userId !== email) return notFound();
      const given = await routeCall(email, request, effect);
      const fields = request.query.get('fields');
      return fields === null ? given : mapJson(given, (value) => applyFieldMask(value, fields));
    },
  };
};

export type GmailApi = Awaited<ReturnType<typeof createGmailApi>>;

const mapJson = (response: SandboxResponse, map: (value: unknown) => unknown): SandboxResponse =>
  isSuccess(response) && response.body
    ? { ...response, body: JSON.stringify(map(JSON.parse(response.body))) }
    : response;
