import { z } from 'zod';
import { type Answer, type Incoming, isSuccess, jsonAnswer } from '../answer.ts';
import type { BehaviourSettings } from '../behaviour.ts';
import { LabelSchema, LabelsSchema, parseAnswer } from './gmail-answers.ts';
import { findNameRefusal, labelNameConflict } from './label-rules.ts';
import type { MailboxMutations } from './mailbox-mutations.ts';

type Forward = (email: string, request: Incoming) => Promise<Answer>;

const NewLabelSchema = z.object({ name: z.string().default('') });

/** `users.labels` of the Gmail API: the emulator's, with Gmail's conflicts and its leaner responses. */
export const createLabelApi = (options: {
  forward: Forward;
  mutations: MailboxMutations;
  behaviour: BehaviourSettings;
}) => {
  const { forward, mutations, behaviour } = options;

  // Counts are in labels.get alone (fixtures labels_list and label_get_inbox).
  const list = async (email: string, request: Incoming): Promise<Answer> =>
    jsonAnswer(200, parseAnswer(LabelsSchema, await forward(email, request)));

  const create = async (email: string, request: Incoming): Promise<Answer> => {
    const name = NewLabelSchema.safeParse(parseJson(request.body)).data?.name ?? '';
    const present = await forward(email, { ...request, method: 'GET', body: '' });
    const { labels } = parseAnswer(LabelsSchema, present);
    const refusal = findNameRefusal(
      name,
      labels.map((label) => label.name),
    );
    if (refusal !== undefined) return refusal;
    const answer = await forward(email, request);
    if (!isSuccess(answer)) return answer;
    // No type, unlike in other responses (fixture label_create_response).
    const { type: _type, ...label } = LabelSchema.parse(JSON.parse(answer.body));
    return jsonAnswer(200, label);
  };

  const rename = async (email: string, request: Incoming): Promise<Answer> => {
    const answer = await forward(email, request);
    return answer.body.includes('Label name exists or conflicts') ? labelNameConflict() : answer;
  };

  return {
    handle(email: string, request: Incoming): Promise<Answer> {
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
