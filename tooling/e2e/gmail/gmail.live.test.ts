import {
  toBatchModifyRequest,
  toCreateLabelRequest,
  toMessageRequest,
  toModifyRequest,
} from '@mailsweep/mail/gmail/api';
import { type HttpResponse, parseJson } from '@mailsweep/service-kit/http-client';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeResponse, type GmailClient, toDeleteRequest } from './testing/gmail-client.ts';
import { formOf, orderOf, watchChange } from './testing/history.ts';
import { openLiveAccount } from './testing/live-test.ts';
import { createLabel, FORWARDED_FILES, MAIN_LABEL, readLabels, toDraft } from './testing/workspace.ts';

const { signIn, answers, workspace, listRefusals, liveTest } = openLiveAccount();
const { mainLabelId, messageIds, byCategory, forwardedId, insertionKeys } = workspace;
const [firstId = ''] = messageIds;

const SHORT_RESPONSE = ['id', 'labelIds', 'threadId'];

const toWords = (answer: boolean | undefined): string =>
  answer === undefined ? 'unknown' : answer ? 'yes' : 'no';

describe('the sign-in', () => {
  it('comes back with what the product knows, and with a refresh token', async ({ annotate }) => {
    await annotate(`a warning that the app is not verified: ${toWords(answers.unverifiedApp)}`);
    // `hd` is there for accounts of an organization alone.
    expect
      .soft(signIn.parameters.filter((name) => name !== 'hd'))
      .toEqual(['authuser', 'code', 'iss', 'prompt', 'scope', 'state']);
    expect(signIn.hasRefreshToken).toBe(true);
  });

  it('gives tokens without the scope when the box for Gmail is not ticked', ({ skip }) => {
    skip(signIn.untickedAccess === undefined, 'the owner did not try it');
    expect(signIn.untickedAccess).toBe('none');
  });

  it('leaves the box for Gmail to be ticked', ({ skip }) => {
    skip(answers.boxTicked === undefined, 'only the owner of the account sees it');
    expect(answers.boxTicked).toBe(false);
  });
});

const PAGE = 100;
/** What the product sends at a time: Gmail was seen to refuse more calls at once. */
const BATCH = 25;

// First: nothing has read these messages yet, and the inbox shows the last ones.
describe('a cold page', () => {
  const ids = messageIds.slice(0, PAGE);
  const batches = Array.from({ length: Math.ceil(ids.length / BATCH) }, (_, index) =>
    ids.slice(index * BATCH, (index + 1) * BATCH),
  );
  type BatchResponse = Awaited<ReturnType<GmailClient['readBatch']>>;
  /** How many parts have each status. */
  const countStatuses = (reads: readonly BatchResponse[]): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const status of reads.flatMap((read) => read.parts.map((part) => part?.status ?? read.status))) {
      counts[status] = (counts[status] ?? 0) + 1;
    }
    return counts;
  };

  liveTest('of 100 is read within 10 s, in batches one after the other', async ({ gmail, annotate }) => {
    const reads: BatchResponse[] = [];
    for (const batch of batches) reads.push(await gmail.readBatch(batch));
    const tookMs = Math.round(reads.reduce((sum, read) => sum + read.tookMs, 0));
    await annotate(`${ids.length} messages took ${tookMs} ms`);
    expect.soft(countStatuses(reads)).toEqual({ 200: ids.length });
    expect(tookMs).toBeLessThanOrEqual(10_000);
  });

  liveTest('meets only refusals for quota when two batches are sent at once', async (context) => {
    context.skip(batches.length < 2, 'too few messages');
    const reads = await Promise.all(batches.slice(0, 2).map((batch) => context.gmail.readBatch(batch)));
    const { 200: answered = 0, 429: refused = 0, 403: refusedToo = 0, ...others } = countStatuses(reads);
    const hasAdvice = reads.some(({ parts }) => parts.some((part) => part?.retryAfter !== undefined));
    await context.annotate(
      `${answered} × 200, ${refused} × 429, ${refusedToo} × 403, Retry-After: ${toWords(hasAdvice)}`,
    );
    expect(others).toEqual({});
  });
});

const PartSchema = z.object({
  filename: z.string().optional(),
  get parts() {
    return z.array(PartSchema).default([]);
  },
});
const MessageSchema = z.object({ payload: PartSchema });

const countFiles = ({ filename, parts }: z.output<typeof PartSchema>): number =>
  (filename?.endsWith('.pdf') ? 1 : 0) + parts.reduce((sum, part) => sum + countFiles(part), 0);

const describeMessage = (response: HttpResponse | undefined): string => {
  if (response === undefined) return 'part missing';
  const { data } = MessageSchema.safeParse(parseJson(response.text));
  return data ? `${response.status}, ${countFiles(data.payload)} files` : describeResponse(response);
};

describe('messages', () => {
  it('that were inserted are answered with id, labels and conversation alone', () => {
    expect(insertionKeys).toEqual(SHORT_RESPONSE);
  });

  it('that were inserted are in the inbox', ({ skip }) => {
    skip(answers.inboxShows === undefined, 'only the owner of the account sees it');
    expect(answers.inboxShows).toBe(true);
  });

  liveTest('that were forwarded three times have all files, read with our field mask', async ({ gmail }) => {
    const alone = await gmail.call(toMessageRequest(forwardedId));
    expect(describeMessage(alone)).toBe(`200, ${FORWARDED_FILES} files`);
  });

  liveTest('have them within a batch, too', async ({ gmail }) => {
    const { parts } = await gmail.readBatch([forwardedId]);
    expect(describeMessage(parts[0])).toBe(`200, ${FORWARDED_FILES} files`);
  });
});

const LISTED = 10;
/** The search learns of new messages after a while. */
const SEARCH_WAIT = { timeout: 20_000, interval: 2_000 };
const PRIMARY = '-category:promotions -category:social -category:updates -category:forums';
/** What Gmail estimates while there is more, whatever there is. */
const FLAT_ESTIMATE = 201;

const PageSchema = z.object({
  messages: z.array(z.object({ id: z.string() })).default([]),
  nextPageToken: z.string().optional(),
  resultSizeEstimate: z.number().optional(),
});

const describeToken = (token: string | undefined): string => {
  if (token === undefined) return 'none';
  return /^\d+$/.test(token) ? `${token.length} digits` : `${token.length} characters`;
};

describe('a list', () => {
  const list = (gmail: GmailClient, labelIds: string, maxResults: number, more: { q?: string } = {}) =>
    gmail.send({
      method: 'GET',
      path: 'messages',
      query: new URLSearchParams({ labelIds, maxResults: String(maxResults), ...more }),
      response: PageSchema,
    });
  /** Categories of the messages that a search finds. */
  const find = async (gmail: GmailClient, q: string): Promise<string[]> => {
    const { messages } = await list(gmail, mainLabelId, 500, { q });
    const found = new Set(messages.map(({ id }) => id));
    return Object.keys(byCategory)
      .filter((category) => found.has(byCategory[category] ?? ''))
      .toSorted();
  };

  liveTest('has page tokens of 20 digits, one after its end, and an estimate of 201', async ({ gmail }) => {
    const labelId = await createLabel(gmail, `${MAIN_LABEL}/page`);
    const ids = messageIds.slice(0, LISTED);
    await gmail.send(toBatchModifyRequest(ids, { added: [labelId], removed: [] }));
    const isListed = async () => (await list(gmail, labelId, ids.length)).messages.length;
    await expect.poll(isListed, SEARCH_WAIT).toBe(ids.length);
    const full = await list(gmail, labelId, ids.length);
    expect.soft(full.nextPageToken, 'token of a page with exactly all messages').toBeDefined();
    const half = await list(gmail, labelId, Math.floor(ids.length / 2));
    expect.soft(half.resultSizeEstimate).toBe(FLAT_ESTIMATE);
    expect(describeToken(half.nextPageToken)).toBe('20 digits');
  });

  liveTest('without the other categories has mail of no category, too', async ({ gmail, annotate }) => {
    await annotate(`the inbox has tabs: ${toWords(answers.tabs)}`);
    await expect.poll(() => find(gmail, PRIMARY), SEARCH_WAIT).toEqual(['CATEGORY_PERSONAL', 'none']);
  });

  liveTest('of category:primary has CATEGORY_PERSONAL alone', async ({ gmail }) => {
    expect(await find(gmail, 'category:primary')).toEqual(['CATEGORY_PERSONAL']);
  });
});

interface LabelChange {
  added: string[];
  removed: string[];
}

/** Ids of user labels are private. */
const showLabels = (labels: readonly string[]): string[] =>
  labels.map((label) => (label.startsWith('Label_') ? 'a label of the user' : label)).toSorted();

describe('the product’s own mailbox', () => {
  liveTest('knows what it archived and deleted, and takes exactly that back', async ({ gmail, mailbox }) => {
    const ids = messageIds.slice(0, 3);
    const labelsOf = async (id: string): Promise<string[]> =>
      // Gmail itself may turn IMPORTANT.
      showLabels((await readLabels(gmail, id)).filter((label) => label !== 'IMPORTANT'));
    const readAll = () => Promise.all(ids.map(labelsOf));
    const change = async (changed: readonly string[], what: LabelChange, historyId: string | undefined) => {
      const changes = changed.map((id) => ({ id, ...what }));
      const outcomes = await mailbox.changeLabels(changes, historyId);
      // What the history does not show yet is looked up later, as the product does.
      const open = changes
        .filter((_, index) => outcomes[index]?.status === 'ok' && !('change' in outcomes[index]))
        .map((one) => ({ ...one, isDone: true }));
      const later = open.length === 0 ? [] : await mailbox.findChanges(open, historyId);
      return outcomes
        .map((outcome) => later.find(({ id }) => id === outcome.id) ?? outcome)
        .map((outcome) => (outcome.status === 'ok' ? outcome.change : undefined));
    };

    const before = await readAll();
    const archive = { added: [], removed: ['INBOX'] };
    const archived = await change(ids, archive, (await mailbox.readBaseline(ids)).historyId);
    expect.soft(archived, 'changes of archiving').toEqual(ids.map(() => archive));
    const { historyId } = await mailbox.readBaseline([firstId]);
    const [deleted] = await change([firstId], { added: ['TRASH'], removed: ['INBOX'] }, historyId);
    expect.soft(deleted, 'change of deleting what is archived').toEqual({ added: ['TRASH'], removed: [] });
    if (deleted) await change([firstId], { added: deleted.removed, removed: deleted.added }, undefined);
    expect.soft(await labelsOf(firstId), 'labels after undoing that').not.toContain('INBOX');
    expect.soft(await labelsOf(firstId), 'labels after undoing that').not.toContain('TRASH');
    await change(ids, { added: ['INBOX'], removed: [] }, undefined);
    expect(await readAll(), 'labels after undoing all').toEqual(before);
  });
});

/** Well-formed, and of no message. */
const UNKNOWN_ID = '0000000000000001';
const MALFORMED_ID = 'not an id';
const DraftSchema = z.object({ id: z.string(), message: z.object({ id: z.string() }) });

describe('batchModify', () => {
  const isStarred = async (gmail: GmailClient, id: string) =>
    (await readLabels(gmail, id)).includes('STARRED');
  /** Stars a good message together with an odd one; what became of the good one. */
  const starTogether = async (gmail: GmailClient, oddId: string): Promise<string> => {
    await gmail.send(toBatchModifyRequest([firstId], { added: [], removed: ['STARRED'] }));
    const response = await gmail.call(
      toBatchModifyRequest([firstId, oddId], { added: ['STARRED'], removed: [] }),
    );
    const outcome = (await isStarred(gmail, firstId)) ? 'changed' : 'unchanged';
    return `${describeResponse(response)}, the other message is ${outcome}`;
  };

  liveTest('passes over an id of no message', async ({ gmail }) => {
    expect(await starTogether(gmail, UNKNOWN_ID)).toBe('204, the other message is changed');
  });

  liveTest('refuses an id that can be none, and changes nothing', async ({ gmail }) => {
    expect(await starTogether(gmail, MALFORMED_ID)).toBe(
      '400 invalidArgument, the other message is unchanged',
    );
  });

  liveTest('refuses a draft, and changes nothing', async ({ gmail }) => {
    const draft = await gmail.send({
      method: 'POST',
      path: 'drafts',
      body: { message: { raw: toDraft() } },
      response: DraftSchema,
    });
    expect
      .soft(await starTogether(gmail, draft.message.id))
      .toBe('400 invalidArgument, the other message is unchanged');
    expect.soft(await isStarred(gmail, draft.message.id), 'the draft is changed').toBe(false);
    await gmail.send(toDeleteRequest(`drafts/${draft.id}`));
  });
});

/** How long the product waits for one batch. */
const PRODUCT_WAITS_FOR_BATCH_MS = 60_000;
/** How long the product waits for records that are missing (packages/mail/src/gmail, untraced-changes.ts). */
const PRODUCT_WAITS_FOR_RECORDS_MS = 3_500;
/** How many empty pages the sandbox can put before the first records. */
const MOST_EMPTY_PAGES = 20;

describe('a change of all messages', () => {
  const batchModify = (gmail: GmailClient, added: string[], removed: string[]) =>
    gmail.call(toBatchModifyRequest(messageIds, { added, removed }));
  const listSideLabels = (records: readonly LabelChange[]): string[] =>
    showLabels([
      ...new Set(records.flatMap(({ added, removed }) => [...added, ...removed])).difference(
        new Set(['TRASH', 'INBOX', 'IMPORTANT']),
      ),
    ]);

  liveTest('is answered with id, labels and conversation, where it is of one alone', async ({ gmail }) => {
    const { method, path, body, response } = toModifyRequest({
      id: firstId,
      added: ['STARRED'],
      removed: [],
    });
    // Without the product's mask: all fields.
    const { text } = await gmail.call({ method, path, body, response });
    expect(Object.keys(z.looseObject({}).parse(parseJson(text))).toSorted()).toEqual(SHORT_RESPONSE);
  });

  liveTest('is in the history soon, the last message first', async ({ gmail, history, annotate }) => {
    await batchModify(gmail, ['INBOX'], []);
    const { result, records, seen, completeAfterMs, emptyPages, idLeads } = await watchChange(
      history,
      messageIds,
      () => batchModify(gmail, [], ['INBOX']),
      ({ removed }) => removed.includes('INBOX'),
    );
    const reads = seen.map(({ afterMs, messages }) => `${messages} after ${afterMs} ms`);
    const hasImportant = records.some(({ added, removed }) => [...added, ...removed].includes('IMPORTANT'));
    await annotate(
      [
        `batchModify of ${messageIds.length} messages took ${Math.round(result.tookMs)} ms`,
        `in the history: ${reads.join(', ')}`,
        `the history id counts records that do not show yet: ${toWords(idLeads)}`,
        `empty pages before the first records: ${emptyPages}`,
        `IMPORTANT changes with INBOX: ${toWords(hasImportant)}`,
      ].join('; '),
    );
    expect.soft(result.status).toBe(204);
    expect.soft(result.tookMs, 'duration').toBeLessThan(PRODUCT_WAITS_FOR_BATCH_MS);
    expect
      .soft(completeAfterMs ?? Number.POSITIVE_INFINITY, 'when the history has all')
      .toBeLessThanOrEqual(PRODUCT_WAITS_FOR_RECORDS_MS);
    expect.soft(emptyPages, 'empty pages').toBeLessThanOrEqual(MOST_EMPTY_PAGES);
    expect.soft(listSideLabels(records), 'other labels that changed').toEqual([]);
    expect(orderOf(records, messageIds)).toBe('reversed');
  });

  liveTest('to the trash has a record of TRASH, then one of INBOX', async ({ gmail, history }) => {
    await batchModify(gmail, ['INBOX'], []);
    const { records } = await watchChange(
      history,
      messageIds,
      () => batchModify(gmail, ['TRASH'], ['INBOX']),
      ({ added }) => added.includes('TRASH'),
    );
    expect.soft(listSideLabels(records), 'other labels that changed').toEqual([]);
    expect(formOf(records.filter(({ messageId }) => messageId === firstId))).toBe('TRASH, then INBOX');
  });

  liveTest('out of the trash does not bring INBOX back', async ({ gmail }) => {
    await batchModify(gmail, ['TRASH'], ['INBOX']);
    await batchModify(gmail, [], ['TRASH']);
    expect(await readLabels(gmail, firstId)).not.toContain('INBOX');
    await batchModify(gmail, ['INBOX'], ['TRASH']);
  });
});

describe('a label', () => {
  liveTest('that is deleted leaves no history, and undo does without it', async (context) => {
    const { gmail, mailbox, history } = context;
    const ids = messageIds.slice(0, 2);
    const labelId = await createLabel(gmail, `${MAIN_LABEL}/to be deleted`);
    await gmail.send(toBatchModifyRequest(ids, { added: [labelId], removed: [] }));
    const { seen } = await watchChange(
      history,
      ids,
      () => gmail.send(toDeleteRequest(`labels/${labelId}`)),
      ({ removed }) => removed.includes(labelId),
    );
    expect.soft(Math.max(...seen.map(({ messages }) => messages)), 'messages in the history').toBe(0);
    const removal = { id: firstId, added: [], removed: [labelId] };
    expect.soft(describeResponse(await gmail.call(toModifyRequest(removal)))).toBe('400 invalidArgument');
    const [undone] = await mailbox.changeLabels([removal], undefined);
    expect(undone?.status === 'error' ? undone.error.code : undone?.status).toBe('ok');
  });

  liveTest('conflicts with one whose name differs in case and separators alone', async ({ gmail }) => {
    await createLabel(gmail, `${MAIN_LABEL}/two words`);
    const conflict = await gmail.call(toCreateLabelRequest(`${MAIN_LABEL.toUpperCase()}/Two-Words`));
    expect(describeResponse(conflict)).toBe('409 aborted');
  });
});

describe('the quota', () => {
  it('is 6,000 units a minute', ({ skip }) => {
    skip(answers.consoleQuota === undefined, 'only the owner of the account sees it');
    expect(answers.consoleQuota).toBe(true);
  });

  it('had no call refused', () => {
    expect(listRefusals()).toEqual([]);
  });
});
