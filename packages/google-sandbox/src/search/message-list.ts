import type { BehaviourSettings } from '../behaviour.ts';
import { type ListedMessage, MessageListSchema, parseResponse } from '../protocol/gmail-responses.ts';
import { invalidArgument } from '../protocol/google-errors.ts';
import { type Incoming, isSuccess, jsonResponse, type SandboxResponse } from '../response.ts';
import { isNative, type MessageSearch, toNativeQuery } from './message-search.ts';
import { type PageTokens, readPageSize } from './page-tokens.ts';
import { planSearch, SearchError, type SearchPlan } from './search-terms.ts';

const FOLDERS_OUTSIDE = ['SPAM', 'TRASH'];
/** What Gmail estimates as long as there is more (fixture messages_list_inbox; openclaw/gogcli#983). */
const FLAT_ESTIMATE = 201;

/** `users.messages.list` of the Gmail API. */
export const createMessageList = (options: {
  forward: (email: string, request: Incoming) => Promise<SandboxResponse>;
  search: MessageSearch;
  behaviour: BehaviourSettings;
  pageTokens: PageTokens;
  nowMs: () => number;
}) => {
  const { forward, search, behaviour, pageTokens, nowMs } = options;

  const readPlan = (query: URLSearchParams): SearchPlan | SearchError => {
    try {
      const plan = planSearch(query.get('q') ?? '', nowMs(), behaviour.now);
      const labelIds = [...query.getAll('labelIds'), ...plan.labelIds];
      const isOutside = labelIds.some((labelId) => FOLDERS_OUTSIDE.includes(labelId));
      const includeSpamTrash = plan.includeSpamTrash || isOutside || query.get('includeSpamTrash') === 'true';
      return { ...plan, labelIds, includeSpamTrash };
    } catch (error) {
      if (error instanceof SearchError) return error;
      throw error;
    }
  };

  const toPage = (page: {
    messages: ListedMessage[];
    total: number;
    offset: number;
    pageSize: number;
  }): SandboxResponse => {
    const { messages, total, offset, pageSize } = page;
    const isFull = messages.length === pageSize;
    const hasToken = offset + pageSize < total || (isFull && behaviour.now.tokenAfterFullPage);
    const estimate = hasToken ? FLAT_ESTIMATE : messages.length;
    return jsonResponse(200, {
      // Gmail leaves out an empty list (fixture drafts_list).
      ...(messages.length > 0 && { messages }),
      ...(hasToken && { nextPageToken: pageTokens.issue(offset + pageSize) }),
      resultSizeEstimate: behaviour.now.flatEstimate ? estimate : total,
    });
  };

  return async (email: string, request: Incoming): Promise<SandboxResponse> => {
    const plan = readPlan(request.query);
    if (plan instanceof SearchError) return invalidArgument(plan.message);
    const offset = pageTokens.read(request.query.get('pageToken'));
    if (offset === undefined) return invalidArgument('Invalid pageToken');
    const pageSize = readPageSize(request.query);
    if (!isNative(plan)) {
      const found = await search.find(email, plan);
      const messages = found.slice(offset, offset + pageSize);
      return toPage({ messages, total: found.length, offset, pageSize });
    }
    const query = toNativeQuery(plan);
    query.set('maxResults', String(pageSize));
    query.set('pageToken', String(offset));
    const response = await forward(email, { ...request, query });
    if (!isSuccess(response)) return response;
    const { messages, resultSizeEstimate: total } = parseResponse(MessageListSchema, response);
    return toPage({ messages, total, offset, pageSize });
  };
};
