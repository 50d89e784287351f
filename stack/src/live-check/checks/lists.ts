import { z } from 'zod';
import { type Check, type CheckContext, compare, type Finding } from '../check.ts';
import { toBatchModify } from '../gmail-client.ts';
import { createLabel, MAIN_LABEL } from '../workspace.ts';

const LISTED = 10;
/** What Gmail estimates while there is more, whatever there is. */
const FLAT_ESTIMATE = 201;
/** How often the search is asked before its index counts as complete. */
const SEARCH_READS = 10;
const SEARCH_PAUSE_MS = 2_000;

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
  units: () => 100 + SEARCH_READS * 10,
  async run({ gmail, workspace, pause }) {
    const labelId = await createLabel(gmail, `${MAIN_LABEL}/page`);
    const ids = workspace.messageIds.slice(0, LISTED);
    await gmail.must(toBatchModify(ids, [labelId], []), z.unknown());
    const list = (query: Record<string, string>) =>
      gmail.must({ method: 'GET', path: `messages?${new URLSearchParams(query)}` }, PageSchema);
    let full = await list({ labelIds: labelId, maxResults: String(ids.length) });
    for (let reads = 1; full.messages.length < ids.length && reads < SEARCH_READS; reads += 1) {
      await pause(SEARCH_PAUSE_MS);
      full = await list({ labelIds: labelId, maxResults: String(ids.length) });
    }
    const half = await list({
      labelIds: labelId,
      maxResults: String(Math.max(1, Math.floor(ids.length / 2))),
    });
    const hasToken = full.nextPageToken !== undefined;
    const findings: Finding[] = [
      compare({
        id: 'full-page-token',
        title: 'A page with exactly all messages: is there a page token?',
        expected: 'yes',
        observed: hasToken ? 'yes' : 'no',
      }),
      compare({
        id: 'estimate',
        title: `resultSizeEstimate of half of ${ids.length} messages`,
        expected: String(FLAT_ESTIMATE),
        observed: String(half.resultSizeEstimate ?? 'none'),
      }),
      compare({
        id: 'page-token',
        title: 'Form of a page token',
        expected: '20 digits',
        observed: describeToken(half.nextPageToken),
      }),
    ];
    const primary = await searchPrimary({ gmail, workspace, pause }, list);
    return {
      findings: [...findings, ...primary.findings],
      behaviour: {
        tokenAfterFullPage: hasToken,
        flatEstimate: half.resultSizeEstimate === FLAT_ESTIMATE,
        ...(half.nextPageToken !== undefined && { opaquePageTokens: !/^\d{1,9}$/.test(half.nextPageToken) }),
        ...(primary.isPersonal !== undefined && { primaryIsPersonal: primary.isPersonal }),
      },
    };
  },
};

const NEGATIVE = '-category:promotions -category:social -category:updates -category:forums';

const searchPrimary = async (
  { workspace, pause }: Pick<CheckContext, 'gmail' | 'workspace' | 'pause'>,
  list: (query: Record<string, string>) => Promise<z.output<typeof PageSchema>>,
) => {
  const { mainLabelId, byCategory } = workspace;
  const nameOf = new Map([...byCategory].map(([category, id]) => [id, category || 'none']));
  const find = async (q: string): Promise<string> => {
    const { messages } = await list({ labelIds: mainLabelId, q, maxResults: '500' });
    const found = messages.flatMap(({ id }) => nameOf.get(id) ?? []).toSorted();
    return found.join(', ') || 'nothing';
  };
  const expected = 'CATEGORY_PERSONAL, none';
  // The search learns of new messages after a while.
  let negative = await find(NEGATIVE);
  for (let reads = 1; negative !== expected && reads < SEARCH_READS; reads += 1) {
    await pause(SEARCH_PAUSE_MS);
    negative = await find(NEGATIVE);
  }
  const positive = await find('category:primary');
  const findings: Finding[] = [
    compare({
      id: 'primary-by-exclusion',
      title: 'Categories found by excluding all others, as the product asks for Primary',
      expected,
      observed: negative,
    }),
    compare({
      id: 'category-primary',
      title: 'Categories found by category:primary',
      expected: 'CATEGORY_PERSONAL',
      observed: positive,
    }),
  ];
  const isPersonal = positive === 'CATEGORY_PERSONAL' ? true : positive === expected ? false : undefined;
  return { findings, isPersonal };
};
