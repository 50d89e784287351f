import { z } from 'zod';
import type { BehaviourSettings } from '../behaviour.ts';
import { LabelSchema, LabelsSchema, parseResponse } from '../protocol/gmail-responses.ts';
import { type Incoming, isSuccess, jsonResponse, type SandboxResponse } from '../response.ts';
import { findNameRefusal, labelNameConflict } from './label-rules.ts';
import type { MailboxMutations } from './mailbox-mutations.ts';

type Forward = (email: string, request: Incoming) => Promise<SandboxResponse>;

const NewLabelSchema = z.object({ name: z.string().default('') });

/** `users.labels` of the Gmail API: the emulator's, with Gmail's conflicts and its leaner responses. */
export const createLabelApi = (options: {
  forward: Forward;
  mutations: MailboxMutations;
  behaviour: BehaviourSettings;
}) => {
  const { forward, mutations, behaviour } = options;

  // Counts are in labels.get alone (fixtures labels_list and label_get_inbox).
  const list = async (email: string, request: Incoming): Promise<SandboxResponse> =>
    jsonResponse(200, parseResponse(LabelsSchema, await forward(email, request)));

  const create = async (email: string, request: Incoming): Promise<SandboxResponse> => {
    const name = NewLabelSchema.safeParse(parseJson(request.body)).data?.name ?? '';
    const present = await forward(email, { ...request, method: 'GET', body: '' });
    const { labels } = parseResponse(LabelsSchema, present);
    const refusal = findNameRefusal(
      name,
      labels.map((label) => label.name),
    );
    if (refusal !== undefined) return refusal;
    const response = await forward(email, request);
    if (!isSuccess(response)) return response;
    // No type, unlike in other responses (fixture label_create_response).
    const { type: _type, ...label } = LabelSchema.parse(JSON.parse(response.body));
    return jsonResponse(200, label);
  };

  const rename = async (email: string, request: Incoming): Promise<SandboxResponse> => {
    const response = await forward(email, request);
    return response.body.includes('Label name exists or conflicts') ? labelNameConflict() : response;
  };

  return {
    handle(email: string, request: Incoming): Promise<SandboxResponse> {
      const isList = request.path.endsWith('/labels');
      if (request.method === 'GET') return isList ? list(email, request) : forward(email, request);
      const isDeletion = request.method === 'DELETE';
      const call = isDeletion ? forward : isList ? create : rename;
      return mutations.run(email, () => call(email, request), {
        changesLabels: true,
        ...(isDeletion && !behaviour.now.labelDeletionInHistory && { lostRecords: Infinity }),
      });
    },
  };
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // A body that is no JSON is refused by the emulator.
    return undefined;
  }
};
