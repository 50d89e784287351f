import type { Behaviour } from '@mailsweep/google-sandbox';
import { z } from 'zod';
import { type Check, type CheckContext, compare, type Finding } from '../check.ts';
import { isSuccess, reasonOf, toBatchModify } from '../gmail-client.ts';
import { toDraft } from '../test-mail.ts';

/** Well-formed, and of no message. */
const UNKNOWN_ID = '0000000000000001';
const MALFORMED_ID = 'not an id';

const LabelsSchema = z.object({ labelIds: z.array(z.string()).default([]) });
const DraftSchema = z.object({ id: z.string(), message: z.object({ id: z.string() }) });

const isStarred = async (gmail: CheckContext['gmail'], id: string): Promise<boolean> =>
  (
    await gmail.must({ method: 'GET', path: `messages/${id}?format=minimal` }, LabelsSchema)
  ).labelIds.includes('STARRED');

/** Stars a good message together with an odd one; what became of the good one. */
const starTogether = async (gmail: CheckContext['gmail'], goodId: string, oddId: string): Promise<string> => {
  await gmail.call(toBatchModify([goodId], [], ['STARRED']));
  const response = await gmail.call(toBatchModify([goodId, oddId], ['STARRED'], []));
  const result = isSuccess(response)
    ? String(response.status)
    : `${response.status} ${reasonOf(response)}`.trim();
  return `${result}, the other message is ${(await isStarred(gmail, goodId)) ? 'changed' : 'unchanged'}`;
};

const findDraftBehaviour = (observed: string, draftIsChanged: boolean): Behaviour['draftChanges'] => {
  if (draftIsChanged) return 'accepted';
  return observed.endsWith(' changed') ? 'refused_alone' : 'refused';
};

/** What batchModify makes of ids that are no message's, and of drafts. */
export const oddMessagesCheck: Check = {
  title: 'Odd messages in a batch',
  units: () => 3 * 120 + 40,
  async run({ gmail, workspace }) {
    const [goodId = ''] = workspace.messageIds;
    const findings: Finding[] = [];
    const note = (id: string, title: string, expected: string, observed: string) =>
      findings.push(compare({ id, title, expected, observed }));

    note(
      'batch-unknown-id',
      'batchModify with an id of no message',
      '204, the other message is changed',
      await starTogether(gmail, goodId, UNKNOWN_ID),
    );
    note(
      'batch-malformed-id',
      'batchModify with an id that can be none',
      '400 invalidArgument, the other message is unchanged',
      await starTogether(gmail, goodId, MALFORMED_ID),
    );
    const draft = await gmail.must(
      { method: 'POST', path: 'drafts', body: { message: { raw: toDraft() } } },
      DraftSchema,
    );
    const observed = await starTogether(gmail, goodId, draft.message.id);
    const isChanged = await isStarred(gmail, draft.message.id);
    await gmail.must({ method: 'DELETE', path: `drafts/${draft.id}` }, z.unknown());
    note(
      'batch-draft',
      'batchModify with a draft',
      '400 invalidArgument, the other message is unchanged, and so is the draft',
      `${observed}, ${isChanged ? 'the draft is changed' : 'and so is the draft'}`.replace(
        / changed, and so is the draft$/,
        ' changed, the draft is not',
      ),
    );
    return { findings, behaviour: { draftChanges: findDraftBehaviour(observed, isChanged) } };
  },
};
