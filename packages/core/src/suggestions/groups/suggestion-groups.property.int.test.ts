import type { Counts, Suggestion, SuggestionGroup, SuggestionGrouping } from '@mailsweep/contracts';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { BenchProcess } from '../../testing/bench-process.ts';
import { propertyRuns } from '../../testing/config.ts';
import { openSandboxBench, type SandboxBench, seedMessage } from '../../testing/sandbox-bench.ts';
import { byConfidence } from '../suggestion-choice.ts';

const { numRuns, path, endOnFailure } = propertyRuns({ numRuns: 20 });
const MS_PER_RUN = 10_000;
const BANDS = [0, 0.75, 0.9, 0.95, 1];

const MAIL_COUNT = 30;
const allIds = Array.from({ length: MAIL_COUNT }, (_, index) => `m${index}`);
const labelsOf = (index: number): string[] => [
  ...(index % 6 === 5 ? [] : ['INBOX']),
  ...(index % 9 === 8 ? ['TRASH'] : []),
  ...(index % 8 === 7 ? ['STARRED'] : []),
  ...(index % 10 === 9 ? ['IMPORTANT'] : []),
];

const suggestion: fc.Arbitrary<Suggestion> = fc.record({
  action: fc.constantFrom('archive', 'delete', 'label', 'notify', 'review', '__proto__'),
  classification: fc.constantFrom('bulk', 'receipt', 'promotions_old', 'Ünïcode ✓', "o'clock %", '__proto__'),
  confidence_score: fc.constantFrom(0, 0.1, 0.7499, 0.75, 0.8, 0.8999, 0.9, 0.95, 1),
});
const stored = fc.dictionary(
  fc.constantFrom(...allIds),
  fc.array(suggestion, { maxLength: 3 }).map((list) => list.toSorted(byConfidence)),
  { noNullPrototype: true },
);

test(
  'a group has the emails that the list with its filter has, each is planned or excluded by a cleanup of it, and no other is planned',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        stored,
        fc.constantFrom<SuggestionGrouping>('sender', 'classification'),
        fc.option(fc.constantFrom(...BANDS), { nil: undefined }),
        async (suggestions, by, minConfidence) => {
          await bench.query('TRUNCATE "EmailSuggestion", "Cleanup" CASCADE');
          await bench.storeSuggestionsOf(suggestions);

          const { data, ...totals } = await one.listSuggestionGroups({ by, minConfidence });
          for (const group of data) {
            const filter =
              group.classification === null
                ? { sender: group.key }
                : { classification: group.classification };
            const list = await one.listStoredSuggestions({ ...filter, minConfidence });
            expect(list.total).toBe(group.emails);
            expect(toGroup(list.data)).toEqual(pickComputed(group));

            const { plan, planned, excluded } = await planToAccept({ ...filter, minConfidence });
            expect(plan.total + excluded).toBeGreaterThanOrEqual(group.emails);
            const listed = new Set(list.data.map(({ id }) => id));
            expect(planned.filter((id) => !listed.has(id))).toEqual([]);
          }
          const { total, data: all } = await one.listStoredSuggestions({ minConfidence });
          expect(totals).toMatchObject({ total: data.length, emails: total, actions: toGroup(all).actions });
          expect(data.map(({ key }) => key)).toEqual(data.toSorted(byRank).map(({ key }) => key));
          expect(totals.confidence).toEqual({
            sure: await countStored(0.95),
            likely: (await countStored(0.75)) - (await countStored(0.95)),
            check: (await countStored(0)) - (await countStored(0.75)),
          });
          const everything = await one.listStoredSuggestions({});
          const likely = everything.data.filter(({ suggestions: [best] }) => {
            const { acceptance = NaN } = best ?? {};
            return acceptance >= 0.75 && acceptance < 0.95;
          });
          expect(totals.actionsByDegree.likely).toEqual(toGroup(likely).actions);
          const { planned } = await planToAccept({ minAcceptance: 0.75, belowAcceptance: 0.95 });
          const likelyIds = new Set(likely.map(({ id }) => id));
          expect(planned.filter((id) => !likelyIds.has(id))).toEqual([]);
        },
      ),
      { numRuns, path, endOnFailure },
    );
  },
  (numRuns ?? 100) * MS_PER_RUN,
);

const countStored = async (minAcceptance: number) =>
  (await one.listStoredSuggestions({ minAcceptance })).total;

const planToAccept = async (filter: object) => {
  await bench.query('TRUNCATE "Cleanup" CASCADE');
  const plan = await one.cleanups.plan({
    action: 'accept',
    selection: { type: 'suggestions', except: [], ...filter },
  });
  const excluded = Object.values(plan.excluded).reduce((sum, count) => sum + count, 0);
  const planned = (await one.cleanups.listEmails(plan.id))?.data.map(({ emailId }) => emailId) ?? [];
  return { plan, planned, excluded };
};

type Listed = Awaited<ReturnType<BenchProcess['listStoredSuggestions']>>['data'];

/** What a group of these emails has to show. */
const toGroup = (emails: Listed) => {
  const best = emails.flatMap(({ suggestions }) => suggestions.slice(0, 1));
  const labels = countNames(best.filter(({ action }) => action === 'label').map(toClassification));
  return {
    actions: countNames(best.map(({ action }) => action)),
    classifications: countNames(best.map(toClassification)),
    labels: Object.entries(labels)
      .toSorted(([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1))
      .map(([name]) => name),
    leastConfidence: Math.min(...best.map(({ confidence_score }) => confidence_score)),
    mostConfidence: Math.max(...best.map(({ confidence_score }) => confidence_score)),
    leastAcceptance: Math.min(...best.map(({ acceptance }) => acceptance ?? NaN)),
    mostAcceptance: Math.max(...best.map(({ acceptance }) => acceptance ?? NaN)),
    sizeBytes: emails.reduce((sum, { size }) => sum + size, 0),
    newest: emails
      .map(({ date }) => date)
      .toSorted()
      .at(-1),
    newestFrom: emails.toSorted((one, other) => (one.date < other.date ? 1 : -1))[0]?.from,
  };
};
const toClassification = ({ classification }: Suggestion): string => classification;
const countNames = (names: string[]): Counts =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, list]) => [name, list.length]));
const pickComputed = ({
  key: _key,
  by: _by,
  from: _from,
  classification: _name,
  emails: _emails,
  protected: _protected,
  ...rest
}: SuggestionGroup) => rest;
const byRank = (one: SuggestionGroup, other: SuggestionGroup): number =>
  other.emails - one.emails ||
  other.mostConfidence - one.mostConfidence ||
  Buffer.compare(Buffer.from(one.key), Buffer.from(other.key));

test('groups by sender have the name of the newest email of each; pages have the totals of all groups', async () => {
  await bench.query('TRUNCATE "EmailSuggestion"');
  await bench.storeSuggestions(['m0', 'm14', 'm1'], 'archive');

  const { data } = await one.listSuggestionGroups({ by: 'sender' });
  expect(data.map(({ from, emails }) => [from, emails])).toEqual([
    ['Sender <sender0@shop.example>', 2],
    ['Sender <sender1@shop.example>', 1],
  ]);
});

let bench: SandboxBench;
let one: BenchProcess;
beforeAll(async () => {
  bench = await openSandboxBench(
    allIds.map((id, index) => seedMessage(id, index, labelsOf(index))),
    {},
  );
  one = bench.openProcess();
  await bench.sendInConversation('thread-m4');
  await bench.cacheMessages(allIds);
});
beforeEach(() => bench.query('TRUNCATE "Cleanup" CASCADE'));
afterAll(() => bench.close());
