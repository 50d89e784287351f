import { setTimeout as delay } from 'node:timers/promises';
import type { BehaviourSettings } from '../behaviour.ts';
import type { FaultEffect } from '../limits/faults.ts';
import type { Emulator } from '../mailbox/emulator.ts';
import { MessageLabelsSchema, parseResponse } from '../protocol/gmail-responses.ts';
import { invalidArgument } from '../protocol/google-errors.ts';
import { type Incoming, isSuccess, jsonResponse, type SandboxResponse } from '../response.ts';
import type { MessageSearch } from '../search/message-search.ts';
import {
  completeLabelChange,
  draftRefusal,
  findLabelRefusal,
  type LabelChange,
  LabelChangeSchema,
  labelNotFound,
} from './label-rules.ts';
import type { MailboxMutations } from './mailbox-mutations.ts';

const MESSAGES_PATH = '/gmail/v1/users/me/messages';
/** users.messages.batchModify: "There is a limit of 1000 ids per request". */
const MAX_BATCH = 1_000;

/** The calls of the Gmail API that change messages, with the rules that the emulator lacks. */
export const createMessageChanges = (options: {
  emulator: Emulator;
  forward: (email: string, request: Incoming) => Promise<SandboxResponse>;
  search: MessageSearch;
  mutations: MailboxMutations;
  behaviour: BehaviourSettings;
  /** A message of the emulator as Gmail shows it. */
  complete: (email: string, message: unknown) => unknown;
}) => {
  const { emulator, forward, search, mutations, behaviour, complete } = options;

  const toResponse = (email: string, response: SandboxResponse): SandboxResponse => {
    if (!isSuccess(response) || response.body === '') return response;
    const whole = complete(email, JSON.parse(response.body)) as Record<string, unknown>;
    if (!behaviour.now.shortChangeResponses) return jsonResponse(200, whole);
    const { id, threadId, labelIds } = whole;
    return jsonResponse(200, { id, threadId, ...(labelIds !== undefined && { labelIds }) });
  };

  const post = async (email: string, path: string, body: object): Promise<SandboxResponse> => {
    const response = await emulator.call({
      method: 'POST',
      path: `${MESSAGES_PATH}/${path}`,
      contentType: 'application/json',
      body: JSON.stringify(body),
      email,
    });
    return response.body.includes('Invalid label IDs') ? labelNotFound() : response;
  };

  const modify = (email: string, id: string, change: LabelChange): Promise<SandboxResponse> =>
    post(email, `${id}/modify`, completeLabelChange(change));

  const isDraft = async (email: string, id: string): Promise<boolean> => {
    const query = new URLSearchParams({ format: 'minimal' });
    const response = await emulator.call({ method: 'GET', path: `${MESSAGES_PATH}/${id}`, query, email });
    return isSuccess(response) && parseResponse(MessageLabelsSchema, response).labelIds.includes('DRAFT');
  };

  const modifyOne = async (email: string, id: string, change: LabelChange): Promise<SandboxResponse> => {
    const refusal = findLabelRefusal(change);
    if (refusal !== undefined) return refusal;
    const takesDrafts = behaviour.now.draftChanges === 'accepted';
    if (!takesDrafts && (await isDraft(email, id))) return draftRefusal();
    return await modify(email, id, change);
  };

  const findDrafts = async (email: string): Promise<ReadonlySet<string>> => {
    if (behaviour.now.draftChanges === 'accepted') return new Set();
    const query = new URLSearchParams({ labelIds: 'DRAFT', includeSpamTrash: 'true' });
    return new Set((await search.listAll(email, query)).map(({ id }) => id));
  };

  const batchModify = async (email: string, change: LabelChange): Promise<SandboxResponse> => {
    if (change.ids.length > MAX_BATCH) return invalidArgument(`At most ${MAX_BATCH} ids are allowed.`);
    const refusal = findLabelRefusal(change);
    if (refusal !== undefined) return refusal;
    const drafts = await findDrafts(email);
    const ids = change.ids.filter((id) => !drafts.has(id));
    if (ids.length < change.ids.length && behaviour.now.draftChanges === 'refused') return draftRefusal();
    return await post(email, 'batchModify', { ...completeLabelChange(change), ids });
  };

  const toCall = (email: string, request: Incoming): Call => {
    const [id = '', verb] = request.path.split('/').slice(6);
    const resource = request.path.split('/')[5];
    if (resource !== 'messages' || request.method !== 'POST') return { run: () => forward(email, request) };
    if (id === 'batchModify' || verb === 'modify') {
      const change = readChange(request.body);
      if (change === undefined) return { run: async () => invalidArgument('Invalid JSON payload received.') };
      if (id === 'batchModify') return { run: () => batchModify(email, change) };
      return { run: () => modifyOne(email, id, change), respondsWithMessage: true };
    }
    // Untrashing restores no other label (fixtures message_trash_response and message_untrash_response).
    const trash = { ids: [], addLabelIds: ['TRASH'], removeLabelIds: [] };
    const untrash = { ids: [], addLabelIds: [], removeLabelIds: ['TRASH'] };
    if (verb === 'trash') return { run: () => modify(email, id, trash), respondsWithMessage: true };
    if (verb === 'untrash') return { run: () => modify(email, id, untrash), respondsWithMessage: true };
    return {
      run: () => forward(email, request),
      respondsWithMessage: id === '' || id === 'import' || id === 'send',
    };
  };

  return {
    /** Handles a call that is not a GET. */
    async handle(email: string, request: Incoming, effect: FaultEffect): Promise<SandboxResponse> {
      const { batchModifyMs } = behaviour.now;
      if (batchModifyMs > 0 && request.path.endsWith('/batchModify')) await delay(batchModifyMs);
      const { run, respondsWithMessage = false } = toCall(email, request);
      const response = await mutations.run(email, run, { lostRecords: effect.lostHistoryRecords });
      // Not before the change is in the history: the history id of the message is that of the change.
      return respondsWithMessage ? toResponse(email, response) : response;
    },
  };
};

/** A call that may change the mailbox. */
interface Call {
  run: () => Promise<SandboxResponse>;
  /** Whether its response is the message as it is then. */
  respondsWithMessage?: boolean;
}

const readChange = (body: string): LabelChange | undefined => {
  try {
    return LabelChangeSchema.safeParse(JSON.parse(body || '{}')).data;
  } catch {
    // Not JSON.
    return undefined;
  }
};
