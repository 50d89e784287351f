import type { CleanupSelection, Suggestion } from '@mailsweep/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byConfidence } from '../suggestions/suggestion-choice.ts';
import { propertyRuns } from '../testing/config.ts';
import { openSandboxBench, type SandboxBench, seedMessage } from '../testing/sandbox-bench.ts';

const { numRuns, path, endOnFailure } = propertyRuns({ numRuns: 10 });
const MS_PER_RUN = 15_000;

const SENDERS = 7;
const MAIL_COUNT = 21;
const allIds = Array.from({ length: MAIL_COUNT }, (_, index) => `m${index}`);
const senderOf = (id: string): number => Number(id.slice(1)) % SENDERS;

const suggestion: fc.Arbitrary<Suggestion> = fc.record({
  action: fc.constantFrom('archive', 'delete', 'label', 'notify', 'review'),
  classification: fc.constantFrom('bulk', 'receipt'),
  confidence_score: fc.constantFrom(0.1, 0.8, 0.95),
});
const suggestions = fc.dictionary(
  fc.constantFrom(...allIds),
  fc.array(suggestion, { minLength: 1, maxLength: 3 }).map((list) => list.toSorted(byConfidence)),
  { noNullPrototype: true },
);
const mailLabels = fc.array(
  fc.uniqueArray(fc.constantFrom('INBOX', 'INBOX', 'UNREAD', 'STARRED', 'IMPORTANT'), { maxLength: 3 }),
  { minLength: MAIL_COUNT, maxLength: MAIL_COUNT },
);
const senders = fc.uniqueArray(fc.nat({ max: SENDERS - 1 }), { maxLength: 2 });
const ids = fc.uniqueArray(fc.constantFrom(...allIds), { minLength: 2, maxLength: 8 });

const INVITE = { filename: 'invite.ics', mimeType: 'text/calendar', sizeBytes: 2_048, isInline: false };

const bulk = fc.constantFrom('archive' as const, 'delete' as const, 'mark_read' as const);
const cleanup = fc.oneof(
  fc.record({ action: bulk, on: fc.constantFrom('inbox' as const, 'all' as const) }),
  fc.record({ action: fc.oneof(bulk, fc.constant('accept' as const)), on: fc.constant('senders' as const) }),
  fc.record({
    action: fc.oneof(bulk, fc.constant('accept' as const)),
    on: fc.constant('suggestions' as const),
  }),
);
const decision = fc.oneof(
  // The second list of senders is protected after planning.
  fc.record({ kind: fc.constant('cleanup' as const), cleanup, late: senders }),
  fc.record({ kind: fc.constant('accept' as const), ids }),
  fc.record({ kind: fc.constant('reject' as const), ids }),
  fc.record({ kind: fc.constant('protect' as const), senders }),
  fc.record({ kind: fc.constant('unprotect' as const), senders }),
  fc.record({ kind: fc.constant('forget' as const), ids }),
);

test(
  'no cleanup touches protected email, and clearing it away is not suggested',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        mailLabels,
        suggestions,
        senders,
        fc.uniqueArray(fc.constantFrom(...allIds), { maxLength: 3 }),
        fc.uniqueArray(fc.constantFrom(...allIds), { maxLength: 3 }),
        fc.array(decision, { minLength: 1, maxLength: 5 }),
        async (labels, stored, first, answered, invitations, decisions) => {
          const bench = await openSandboxBench(
            allIds.map((id, index) => ({
              ...seedMessage(id, index, labels[index] ?? []),
              attachments: invitations.includes(id) ? [INVITE] : [],
            })),
            {},
          );
          try {
            for (const id of answered) await bench.sendInConversation(`thread-${id}`);
            const one = bench.openProcess({ stepSize: 6 });
            await one.list({ scope: 'all' });
            const rows = await bench.query<{ emailId: string; key: string }>(
              `SELECT "emailId", encode("senderKey", 'hex') AS "key" FROM "CachedMessage"`,
            );
            const keyOf = (sender: number) =>
              rows.find(({ emailId }) => emailId === `m${sender}`)?.key ?? 'not cached';
            await bench.storeSuggestionsOf(stored);

            const protectedSenders = new Set<number>();
            const protect = async (chosen: readonly number[]) => {
              for (const sender of chosen) {
                await one.protections.protect(keyOf(sender));
                protectedSenders.add(sender);
              }
            };
            await protect(first);

            /** Emails that nothing in bulk may touch now. */
            const listProtected = () =>
              allIds.filter(
                (id) =>
                  protectedSenders.has(senderOf(id)) ||
                  answered.includes(id) ||
                  labels[Number(id.slice(1))]?.some((label) => ['STARRED', 'IMPORTANT'].includes(label)),
              );
            /** Emails that nothing in bulk may take out of sight. */
            const listKept = () =>
              allIds.filter(
                (id) =>
                  invitations.includes(id) ||
                  stored[id]?.some(
                    ({ action, classification }) => action === 'notify' || classification === 'receipt',
                  ),
              );
            const decided = new Set<string>();
            const whileProtected = async (work: () => Promise<unknown>) => {
              const before = bench.readLabels();
              await work();
              const after = bench.readLabels();
              for (const id of listProtected()) expect([id, after.get(id)]).toEqual([id, before.get(id)]);
              const kept = listKept().filter((id) => invitations.includes(id) || !decided.has(id));
              const toPlace = (id: string, found: Map<string, string[]>) => [
                id,
                ...['INBOX', 'TRASH'].filter((label) => found.get(id)?.includes(label)),
              ];
              for (const id of kept) expect(toPlace(id, after)).toEqual(toPlace(id, before));
              const queue = await one.listStoredSuggestions({});
              const cleared = queue.data.filter(
                (email) =>
                  [...listProtected(), ...kept].includes(email.id) &&
                  email.suggestions.some(({ action }) => action === 'archive' || action === 'delete'),
              );
              expect(cleared).toEqual([]);
            };

            for (const happening of decisions) {
              if (happening.kind === 'protect') await protect(happening.senders);
              else if (happening.kind === 'unprotect') {
                for (const sender of happening.senders) {
                  await one.protections.unprotect(keyOf(sender));
                  protectedSenders.delete(sender);
                }
              } else if (happening.kind === 'forget') {
                // Plans of filters know emails that are not cached.
                await bench.query('DELETE FROM "CachedMessage" WHERE "emailId" = ANY($1)', [happening.ids]);
              } else if (happening.kind === 'cleanup') {
                await whileProtected(async () => {
                  const { action, on } = happening.cleanup;
                  const plan = await one.cleanups.plan({ action, selection: toSelection(on, keyOf) });
                  await protect(happening.late);
                  await one.cleanups.control(plan.id, 'run');
                  expect(await one.cleanups.work(plan.id)).toMatchObject({ state: 'completed' });
                });
                // To accept what is left of the suggestions decides about an email, too.
                for (const id of await listDecided(bench)) decided.add(id);
              } else {
                await one.list({ scope: 'all' });
                await one.confirm(happening.ids, happening.kind);
                // What was decided is no longer an open `notify`.
                for (const id of happening.ids) decided.add(id);
              }
            }
          } finally {
            await bench.close();
          }
        },
      ),
      { numRuns, path, endOnFailure },
    );
  },
  (numRuns ?? 100) * MS_PER_RUN,
);

/** Emails whose suggestions were decided about, as the history says. */
const listDecided = async (bench: SandboxBench): Promise<string[]> => {
  const rows = await bench.query<{ emailId: string }>(
    `SELECT DISTINCT "emailId" FROM "ActionHistory" WHERE "source" = 'suggestions'`,
  );
  return rows.map(({ emailId }) => emailId);
};

const toSelection = (
  on: 'inbox' | 'all' | 'senders' | 'suggestions',
  keyOf: (sender: number) => string,
): CleanupSelection => {
  switch (on) {
    case 'senders':
      return { type: 'senders', senders: [0, 1, 2, 3].map(keyOf), except: [] };
    case 'suggestions':
      return { type: 'suggestions', except: [] };
    default:
      return { type: 'filter', scope: on, except: [] };
  }
};
