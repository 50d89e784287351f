import type { Emulator } from '../mailbox/emulator.ts';
import type { MessageFacts } from '../mailbox/message-facts.ts';
import {
  type ListedMessage,
  MessageListSchema,
  MessagePayloadSchema,
  MessageSizeSchema,
  type PayloadPart,
  parseResponse,
} from '../protocol/gmail-responses.ts';
import type { NativeSearch, SearchPlan } from './search-terms.ts';

/** Most messages that the emulator lists at a time. */
const LIST_SIZE = '500';
const MESSAGES_PATH = '/gmail/v1/users/me/messages';

/** Whether the emulator can carry out the plan without us. */
export const isNative = (plan: SearchPlan): boolean =>
  plan.excluded.length === 0 &&
  plan.sizeTests.length === 0 &&
  plan.filenameTests.length === 0 &&
  plan.alternatives.length === 0;

/** The parameters of a plan's native part. */
export const toNativeQuery = (search: NativeSearch & { includeSpamTrash: boolean }): URLSearchParams => {
  const query = new URLSearchParams(
    (search.labelIds ?? []).map((labelId): [string, string] => ['labelIds', labelId]),
  );
  if (search.q) query.set('q', search.q);
  if (search.includeSpamTrash) query.set('includeSpamTrash', 'true');
  return query;
};

/** Carries out searches that the emulator does not understand: lists what it does, and sifts. Newest first. */
export const createMessageSearch = (options: { emulator: Emulator; facts: MessageFacts }) => {
  const { emulator, facts } = options;
  const sizesBytes = new Map<string, number>();
  const filenames = new Map<string, string[]>();

  const listAll = async (email: string, query: URLSearchParams): Promise<ListedMessage[]> => {
    const messages: ListedMessage[] = [];
    let pageToken: string | undefined = '0';
    while (pageToken !== undefined) {
      const page = new URLSearchParams([...query, ['maxResults', LIST_SIZE], ['pageToken', pageToken]]);
      const response = await emulator.call({ method: 'GET', path: MESSAGES_PATH, query: page, email });
      const list = parseResponse(MessageListSchema, response);
      messages.push(...list.messages);
      pageToken = list.nextPageToken;
    }
    return messages;
  };

  // Mail that came after the seed has no facts; its size never changes, so it is asked for once.
  const sizeOf = async (email: string, id: string): Promise<number> => {
    const known = facts.sizeOf(id) ?? sizesBytes.get(id);
    if (known !== undefined) return known;
    const query = new URLSearchParams({ format: 'minimal' });
    const response = await emulator.call({ method: 'GET', path: `${MESSAGES_PATH}/${id}`, query, email });
    const { sizeEstimate } = parseResponse(MessageSizeSchema, response);
    sizesBytes.set(id, sizeEstimate);
    return sizeEstimate;
  };

  // Likewise.
  const filenamesOf = async (email: string, id: string): Promise<readonly string[]> => {
    const known = facts.filenamesOf(id) ?? filenames.get(id);
    if (known !== undefined) return known;
    const query = new URLSearchParams({ format: 'full' });
    const response = await emulator.call({ method: 'GET', path: `${MESSAGES_PATH}/${id}`, query, email });
    const { payload } = parseResponse(MessagePayloadSchema, response);
    const found = listFilenames(payload);
    filenames.set(id, found);
    return found;
  };

  const find = async (email: string, plan: SearchPlan): Promise<ListedMessage[]> => {
    const excluded = new Set<string>();
    for (const search of plan.excluded) {
      const messages = await listAll(email, toNativeQuery({ ...search, includeSpamTrash: true }));
      for (const { id } of messages) excluded.add(id);
    }
    let candidates = await listAll(email, toNativeQuery(plan));
    for (const searches of plan.alternatives) {
      const found = new Set<string>();
      for (const search of searches) for (const { id } of await find(email, search)) found.add(id);
      candidates = candidates.filter(({ id }) => found.has(id));
    }
    const found: ListedMessage[] = [];
    for (const message of candidates.filter(({ id }) => !excluded.has(id))) {
      const sizeBytes = plan.sizeTests.length === 0 ? 0 : await sizeOf(email, message.id);
      if (!plan.sizeTests.every((test) => test(sizeBytes))) continue;
      const names = plan.filenameTests.length === 0 ? [] : await filenamesOf(email, message.id);
      if (plan.filenameTests.every((test) => test(names))) found.push(message);
    }
    return found;
  };

  return { listAll, find };
};

const listFilenames = ({ filename, parts = [] }: PayloadPart): string[] => [
  ...(filename ? [filename] : []),
  ...parts.flatMap(listFilenames),
];

export type MessageSearch = ReturnType<typeof createMessageSearch>;
