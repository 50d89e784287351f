import { type Answer, type Incoming, isSuccess, jsonAnswer } from './answer.ts';
import type { Emulator } from './emulator.ts';
import { applyFieldMask } from './field-mask.ts';
import { HistorySchema, LabelsSchema, parseAnswer } from './gmail-answers.ts';
import { invalidArgument, notFound } from './google-errors.ts';
import type { MailboxChanges } from './mailbox-changes.ts';
import type { MessageFacts } from './message-facts.ts';
import { createMessageSearch, isNative, toNativeQuery } from './message-search.ts';
import { planSearch, SearchError, type SearchPlan } from './search-terms.ts';

const DEFAULT_PAGE_SIZE = 100;
const MAX_PAGE_SIZE = 500;
/** Higher than any history id: asks for the present one alone. */
const END_OF_HISTORY = '9'.repeat(30);
const FOLDERS_OUTSIDE = ['SPAM', 'TRASH'];
/** Paths whose answers are one or more whole messages. */
const MESSAGE_PATH = /^\/gmail\/v1\/users\/[^/]+\/messages\/[^/]+(\/(modify|trash|untrash))?$/;

/**
 * The Gmail API of the sandbox, for callers whose token is known to be good: the emulator's, plus a profile, all
 * search operators of search-terms.ts, true sizes, field masks, and a history that ends where this process began.
 */
export const createGmailApi = async (options: {
  emulator: Emulator;
  facts: MessageFacts;
  changes: MailboxChanges;
  emails: readonly string[];
  nowMs: () => number;
}) => {
  const { emulator, facts, changes, nowMs } = options;
  const search = createMessageSearch({ emulator, facts });

  const readHistory = async (email: string, startHistoryId: string, pageToken = '0') => {
    const query = new URLSearchParams({ startHistoryId, maxResults: String(MAX_PAGE_SIZE), pageToken });
    const answer = await emulator.call({ method: 'GET', path: '/gmail/v1/users/me/history', query, email });
    return parseAnswer(HistorySchema, answer);
  };
  const readHistoryId = async (email: string) => (await readHistory(email, END_OF_HISTORY)).historyId;

  // Seeding is no history, and that of an earlier process is gone.
  const historyFloors = new Map<string, bigint>();
  const rememberedUpTo = new Map<string, string>();
  for (const email of options.emails) {
    const historyId = await readHistoryId(email);
    historyFloors.set(email, BigInt(historyId));
    rememberedUpTo.set(email, historyId);
  }

  const forward = (email: string, { method, path, query, headers, body }: Incoming): Promise<Answer> =>
    emulator.call({ method, path, query, contentType: headers['content-type'], body, email });

  const getProfile = async (email: string): Promise<Answer> => {
    const messages = await search.listAll(email, toNativeQuery({ includeSpamTrash: true }));
    return jsonAnswer(200, {
      emailAddress: email,
      messagesTotal: messages.length,
      threadsTotal: new Set(messages.map(({ threadId }) => threadId)).size,
      historyId: await readHistoryId(email),
    });
  };

  const listMessages = async (email: string, request: Incoming): Promise<Answer> => {
    const plan = readPlan(request.query, nowMs());
    if (plan instanceof SearchError) return invalidArgument(plan.message);
    const { maxResults, offset } = readPage(request.query);
    if (isNative(plan)) {
      const query = toNativeQuery(plan);
      query.set('maxResults', String(maxResults));
      query.set('pageToken', String(offset));
      return await forward(email, { ...request, query });
    }
    const found = await search.find(email, plan);
    const end = offset + maxResults;
    return jsonAnswer(200, {
      messages: found.slice(offset, end),
      ...(end < found.length ? { nextPageToken: String(end) } : {}),
      resultSizeEstimate: found.length,
    });
  };

  const listHistory = async (email: string, request: Incoming): Promise<Answer> => {
    const start = request.query.get('startHistoryId') ?? '';
    if (!/^\d+$/.test(start)) return invalidArgument('Invalid startHistoryId.');
    return BigInt(start) < (historyFloors.get(email) ?? 0n) ? notFound() : await forward(email, request);
  };

  /** Writes down what a call changed, so that a restart finds it. */
  const rememberChanges = async (email: string, path: string): Promise<void> => {
    if (path.includes('/labels')) {
      const answer = await emulator.call({ method: 'GET', path: '/gmail/v1/users/me/labels', email });
      const { labels } = parseAnswer(LabelsSchema, answer);
      changes.setPersonLabels(
        email,
        labels.filter(({ type }) => type === 'user').map(({ id, name }) => ({ id, name })),
      );
    }
    const changed = new Map<string, string[] | null>();
    const start = rememberedUpTo.get(email) ?? '0';
    let pageToken: string | undefined = '0';
    while (pageToken !== undefined) {
      const page = await readHistory(email, start, pageToken);
      for (const { messages, messagesDeleted } of page.history) {
        for (const { id, labelIds } of messages) changed.set(id, labelIds);
        for (const { message } of messagesDeleted) changed.set(message.id, null);
      }
      rememberedUpTo.set(email, page.historyId);
      pageToken = page.nextPageToken;
    }
    changes.setMessageLabels(changed);
  };

  const answer = async (email: string, request: Incoming): Promise<Answer> => {
    if (request.method === 'GET') {
      if (!isPageToken(request.query.get('pageToken') || '0')) return invalidArgument('Invalid pageToken.');
      if (request.path.endsWith('/profile')) return await getProfile(email);
      if (request.path.endsWith('/messages')) return await listMessages(email, request);
      if (request.path.endsWith('/history')) return await listHistory(email, request);
    }
    const given = await forward(email, request);
    if (request.method !== 'GET' && isSuccess(given)) await rememberChanges(email, request.path);
    return MESSAGE_PATH.test(request.path) ? mapJson(given, facts.complete) : given;
  };

  return {
    /** Answers a call on behalf of the person with this address. */
    handle: async (email: string, request: Incoming): Promise<Answer> => {
      const userId = request.path.split('/')[4];
      if (userId !== 'me' && userId !== email) return notFound();
      const given = await answer(email, request);
      const fields = request.query.get('fields');
      return fields === null ? given : mapJson(given, (value) => applyFieldMask(value, fields));
    },
  };
};

const readPlan = (query: URLSearchParams, nowMs: number): SearchPlan | SearchError => {
  try {
    const plan = planSearch(query.get('q') ?? '', nowMs);
    const labelIds = [...query.getAll('labelIds'), ...plan.labelIds];
    const isOutside = labelIds.some((labelId) => FOLDERS_OUTSIDE.includes(labelId));
    const includeSpamTrash = plan.includeSpamTrash || isOutside || query.get('includeSpamTrash') === 'true';
    return { ...plan, labelIds, includeSpamTrash };
  } catch (error) {
    if (error instanceof SearchError) return error;
    throw error;
  }
};

/** Whether a page token may be one that a list gave out; Gmail refuses others instead of beginning anew. */
const isPageToken = (token: string): boolean => /^\d{1,9}$/.test(token);

const readPage = (query: URLSearchParams): { maxResults: number; offset: number } => {
  const wanted = Number.parseInt(query.get('maxResults') ?? '', 10) || DEFAULT_PAGE_SIZE;
  return {
    maxResults: Math.min(Math.max(wanted, 1), MAX_PAGE_SIZE),
    offset: Number(query.get('pageToken') || 0),
  };
};

const mapJson = (answer: Answer, map: (value: unknown) => unknown): Answer =>
  isSuccess(answer) && answer.body
    ? { ...answer, body: JSON.stringify(map(JSON.parse(answer.body))) }
    : answer;
