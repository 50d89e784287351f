import type { Behaviour, BehaviourChange } from '@mailsweep/google-sandbox';
import { toBatchModifyRequest, toMessageRequest } from '@mailsweep/mail/gmail/api';
import { type HttpResponse, parseJson } from '@mailsweep/service-kit/http-client';
import { z } from 'zod';
import { type Check, compare, compareWith, type Finding } from '../check.ts';
import texts from '../expectations.json' with { type: 'json' };
import { describeResponse, isSuccess, toDeleteRequest } from '../gmail-client.ts';
import { createLabel, FORWARDED_FILES, MAIN_LABEL, readLabels, toDraft } from '../workspace.ts';

/** Well-formed, and of no message. */
const UNKNOWN_ID = '0000000000000001';
const MALFORMED_ID = 'not an id';

const DraftSchema = z.object({ id: z.string(), message: z.object({ id: z.string() }) });

/** What became of a draft, after what became of the message beside it. */
const DRAFT_OUTCOMES: Record<Behaviour['draftChanges'], string> = {
  accepted: 'the draft is changed',
  refused_alone: 'the draft is not',
  refused: 'and so is the draft',
};

/** What batchModify makes of ids that are no message's, and of drafts. */
export const oddMessagesCheck: Check = {
  title: 'Odd messages in a batch',
  async run({ gmail, workspace }) {
    const [goodId = ''] = workspace.messageIds;
    const isStarred = async (id: string) => (await readLabels(gmail, id)).includes('STARRED');
    /** Stars a good message together with an odd one; what became of the good one. */
    const starTogether = async (oddId: string): Promise<string> => {
      await gmail.call(toBatchModifyRequest([goodId], { added: [], removed: ['STARRED'] }));
      const response = await gmail.call(
        toBatchModifyRequest([goodId, oddId], { added: ['STARRED'], removed: [] }),
      );
      const outcome = (await isStarred(goodId)) ? 'changed' : 'unchanged';
      return `${describeResponse(response)}, the other message is ${outcome}`;
    };

    const withUnknown = await starTogether(UNKNOWN_ID);
    const withMalformed = await starTogether(MALFORMED_ID);
    const draft = await gmail.send({
      method: 'POST',
      path: 'drafts',
      body: { message: { raw: toDraft() } },
      response: DraftSchema,
    });
    const withDraft = await starTogether(draft.message.id);
    const refusal = withDraft.endsWith(' changed') ? 'refused_alone' : 'refused';
    const draftChanges = (await isStarred(draft.message.id)) ? 'accepted' : refusal;
    await gmail.send(toDeleteRequest(`drafts/${draft.id}`));
    const findings: Finding[] = [
      compare('batch-unknown-id', withUnknown),
      compare('batch-malformed-id', withMalformed),
      compare('batch-draft', `${withDraft}, ${DRAFT_OUTCOMES[draftChanges]}`),
    ];
    return { findings, behaviour: { draftChanges } };
  },
};

const toWords = (answer: boolean | undefined): string =>
  answer === undefined ? 'not answered' : answer ? 'yes' : 'no';

/** What depends on the account has no expectation. */
const toVerdict = (expected: boolean | null, answer: boolean | undefined): Finding['verdict'] => {
  if (answer === undefined) return 'unknown';
  return expected === null || expected === answer ? 'same' : 'different';
};

/** Asks the owner of the mailbox for what only they can see. */
export const questionsCheck: Check = {
  title: 'What you see',
  async run({ ask }) {
    const findings: Finding[] = [];
    let behaviour: BehaviourChange = {};
    for (const { id, text, expected } of texts.questions) {
      const answer = await ask(text);
      if (id === 'box-ticked' && answer !== undefined) behaviour = { mailBoxTicked: answer };
      findings.push({
        id,
        title: text,
        expected: expected === null ? 'either' : toWords(expected),
        observed: toWords(answer),
        verdict: toVerdict(expected, answer),
      });
    }
    return { findings, behaviour };
  },
};

const PAGE = 100;
/** What the product sends at a time: Gmail was seen to refuse more calls at once. */
const BATCH = 25;

/** A page of messages that were never read before, in batches one after the other; then two batches at once. */
export const coldPageCheck: Check = {
  title: 'A cold page of 100',
  async run({ gmail, workspace }) {
    const ids = workspace.messageIds.slice(0, PAGE);
    const batches = Array.from({ length: Math.ceil(ids.length / BATCH) }, (_, index) =>
      ids.slice(index * BATCH, (index + 1) * BATCH),
    );
    const inTurn: Awaited<ReturnType<typeof gmail.readBatch>>[] = [];
    for (const batch of batches) inTurn.push(await gmail.readBatch(batch));
    const atOnce = await Promise.all(batches.slice(0, 2).map((batch) => gmail.readBatch(batch)));
    const tookMs = Math.round(inTurn.reduce((sum, batch) => sum + batch.tookMs, 0));

    const statusesOf = (reads: typeof inTurn): number[] =>
      reads.flatMap(({ status, parts }) => parts.map((part) => part?.status ?? status));
    const describe = (reads: typeof inTurn): string =>
      [...Map.groupBy(statusesOf(reads).toSorted(), (status) => status)]
        .map(([status, { length }]) => `${length} × ${status}`)
        .join(', ');
    const findings: Finding[] = [
      compareWith({
        id: 'cold-page',
        title: `Reading ${ids.length} messages in batches of ${BATCH}, one after the other`,
        expected: `${ids.length} × 200`,
        observed: describe(inTurn),
      }),
      compare('cold-page-duration', `${tookMs} ms`, tookMs <= 10_000 ? 'same' : 'different'),
      {
        id: 'batches-at-once',
        title: `Two batches of ${BATCH} at once`,
        expected: 'either refused in part or not',
        observed: describe(atOnce),
        verdict: ids.length < 2 * BATCH ? 'unknown' : 'same',
      },
    ];
    const all = [...inTurn, ...atOnce];
    const isRefused = statusesOf(all).some((status) => status === 429 || status === 403);
    const retryAfterHeader = all.some(({ parts }) => parts.some((part) => part?.retryAfter !== undefined));
    return { findings, ...(isRefused && { behaviour: { retryAfterHeader } }) };
  },
};

const PartSchema = z.object({
  filename: z.string().optional(),
  get parts() {
    return z.array(PartSchema).default([]);
  },
});
const MessageSchema = z.object({ payload: PartSchema });

const countFiles = ({ filename, parts }: z.output<typeof PartSchema>): number =>
  (filename?.endsWith('.pdf') ? 1 : 0) + parts.reduce((sum, part) => sum + countFiles(part), 0);

const describeMessage = (response: HttpResponse): string => {
  const { data } = MessageSchema.safeParse(parseJson(response.text));
  return data ? `${response.status}, ${countFiles(data.payload)} files` : describeResponse(response);
};

/** How a message is read: the field mask of the product, alone and within a batch, and what an insertion responds with. */
export const messagesCheck: Check = {
  title: 'Reading messages',
  async run({ gmail, workspace: { forwardedId, insertionKeys } }) {
    const alone = await gmail.call(toMessageRequest(forwardedId));
    const { status, parts } = await gmail.readBatch([forwardedId]);
    const expected = `200, ${FORWARDED_FILES} files`;
    const findings: Finding[] = [
      compare('insert-response', insertionKeys.join(', ')),
      compareWith({
        id: 'fields-alone',
        title: 'A message that was forwarded three times, read with our field mask',
        expected,
        observed: describeMessage(alone),
      }),
      compareWith({
        id: 'fields-in-batch',
        title: 'The same within a batch',
        expected: isSuccess(alone) ? describeMessage(alone) : expected,
        observed: parts[0] ? describeMessage(parts[0]) : `batch ${status}, part missing`,
      }),
    ];
    return { findings };
  },
};

const LISTED = 10;
/** What Gmail estimates while there is more, whatever there is. */
const FLAT_ESTIMATE = 201;
/** How often the search is asked before its index counts as complete: it learns of new messages after a while. */
const SEARCH_READS = 10;
const SEARCH_PAUSE_MS = 2_000;
const PRIMARY = '-category:promotions -category:social -category:updates -category:forums';
const WITHOUT_TAB = 'CATEGORY_PERSONAL, none';

const PageSchema = z.object({
  messages: z.array(z.object({ id: z.string() })).default([]),
  nextPageToken: z.string().optional(),
  resultSizeEstimate: z.number().optional(),
});

const describeToken = (token: string | undefined): string => {
  if (token === undefined) return 'none';
  return /^\d+$/.test(token) ? `${token.length} digits` : `${token.length} characters`;
};

/** Pages of lists, what they estimate, and what the category of mail without one is. */
export const listsCheck: Check = {
  title: 'Lists and searches',
  async run({ gmail, workspace, pause }) {
    const { mainLabelId, messageIds, byCategory } = workspace;
    const until = async <T>(isComplete: (result: T) => boolean, read: () => Promise<T>): Promise<T> => {
      let result = await read();
      for (let reads = 1; !isComplete(result) && reads < SEARCH_READS; reads += 1) {
        await pause(SEARCH_PAUSE_MS);
        result = await read();
      }
      return result;
    };
    const list = (labelIds: string, maxResults: number, more: { q?: string } = {}) =>
      gmail.send({
        method: 'GET',
        path: 'messages',
        query: new URLSearchParams({ labelIds, maxResults: String(maxResults), ...more }),
        response: PageSchema,
      });

    const labelId = await createLabel(gmail, `${MAIN_LABEL}/page`);
    const ids = messageIds.slice(0, LISTED);
    await gmail.send(toBatchModifyRequest(ids, { added: [labelId], removed: [] }));
    const full = await until(
      ({ messages }) => messages.length >= ids.length,
      () => list(labelId, ids.length),
    );
    const half = await list(labelId, Math.max(1, Math.floor(ids.length / 2)));
    const hasToken = full.nextPageToken !== undefined;

    const nameOf = new Map([...byCategory].map(([category, id]) => [id, category || 'none']));
    const find = async (q: string): Promise<string> => {
      const { messages } = await list(mainLabelId, 500, { q });
      return (
        messages
          .flatMap(({ id }) => nameOf.get(id) ?? [])
          .toSorted()
          .join(', ') || 'nothing'
      );
    };
    const byExclusion = await until(
      (found) => found === WITHOUT_TAB,
      () => find(PRIMARY),
    );
    const byName = await find('category:primary');
    const findings: Finding[] = [
      compare('full-page-token', hasToken ? 'yes' : 'no'),
      compareWith({
        id: 'estimate',
        title: `resultSizeEstimate of half of ${ids.length} messages`,
        expected: String(FLAT_ESTIMATE),
        observed: String(half.resultSizeEstimate ?? 'none'),
      }),
      compare('page-token', describeToken(half.nextPageToken)),
      compare('primary-by-exclusion', byExclusion),
      compare('category-primary', byName),
    ];
    const isPersonal = byName === 'CATEGORY_PERSONAL';
    return {
      findings,
      behaviour: {
        tokenAfterFullPage: hasToken,
        flatEstimate: half.resultSizeEstimate === FLAT_ESTIMATE,
        ...(half.nextPageToken !== undefined && { opaquePageTokens: !/^\d{1,9}$/.test(half.nextPageToken) }),
        ...((isPersonal || byName === WITHOUT_TAB) && { primaryIsPersonal: isPersonal }),
      },
    };
  },
};
