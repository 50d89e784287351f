import type { CreateRuleRequest, Suggestion } from '@mailsweep/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byConfidence } from '../suggestions/suggestion-choice.ts';
import { propertyRuns } from '../testing/config.ts';
import { openSandboxBench, seedMessage } from '../testing/sandbox-bench.ts';

const { numRuns, path, endOnFailure } = propertyRuns({ numRuns: 10 });
const MS_PER_RUN = 15_000;

const SENDERS = 5;
const MAIL_COUNT = 20;
const HOURS_APART = 12;
const DAY_MS = 24 * 60 * 60_000;
const allIds = Array.from({ length: MAIL_COUNT }, (_, index) => `m${index}`);
const senderOf = (id: string): number => Number(id.slice(1)) % SENDERS;
const ageOf = (id: string): number => (Number(id.slice(1)) * HOURS_APART) / 24;

const suggestion: fc.Arbitrary<Suggestion> = fc.record({
  action: fc.constantFrom('archive', 'delete', 'label', 'notify'),
  classification: fc.constantFrom('bulk', 'receipt', 'social'),
  confidence_score: fc.constantFrom(0.3, 0.8, 0.95),
});
const suggestions = fc.dictionary(
  fc.constantFrom(...allIds),
  fc.array(suggestion, { minLength: 1, maxLength: 2 }).map((list) => list.toSorted(byConfidence)),
  { noNullPrototype: true },
);
const mailLabels = fc.array(
  fc
    .uniqueArray(fc.constantFrom('UNREAD', 'STARRED', 'IMPORTANT'), { maxLength: 2 })
    .chain((labels) => fc.boolean().map((isInInbox) => (isInInbox ? ['INBOX', ...labels] : labels))),
  { minLength: MAIL_COUNT, maxLength: MAIL_COUNT },
);
const condition = fc.oneof(
  fc.record({ type: fc.constant('sender' as const), sender: fc.nat({ max: SENDERS - 1 }) }),
  fc.record({
    type: fc.constant('classification' as const),
    classification: fc.constantFrom('bulk', 'receipt'),
    minConfidence: fc.constantFrom(0, 0.5, 0.9),
  }),
);
const rule = fc.record({
  condition,
  olderThan: fc.constantFrom(0, 0, 2, 5),
  action: fc.constantFrom('archive' as const, 'delete' as const, 'mark_read' as const, 'label' as const),
  enabled: fc.boolean(),
});
const rules = fc.array(rule, { minLength: 1, maxLength: 4 });
const ids = fc.uniqueArray(fc.constantFrom(...allIds), { minLength: 1, maxLength: 6 });
const decision = fc.oneof(
  // Checks of the watch, with a sender protected after the runs have begun.
  fc.record({ kind: fc.constant('check' as const), late: fc.option(fc.nat({ max: SENDERS - 1 })) }),
  fc.record({ kind: fc.constant('check' as const), late: fc.constant(null) }),
  fc.record({ kind: fc.constant('run' as const), index: fc.nat({ max: 3 }) }),
  fc.record({ kind: fc.constant('undo' as const), index: fc.nat({ max: 3 }) }),
  fc.record({ kind: fc.constant('switch' as const), index: fc.nat({ max: 3 }), enabled: fc.boolean() }),
  fc.record({ kind: fc.constant('protect' as const), sender: fc.nat({ max: SENDERS - 1 }) }),
  fc.record({ kind: fc.constant('reject' as const), ids }),
  fc.record({ kind: fc.constant('restore' as const), ids }),
);

test(
  'no rule touches protected email, or what it does not mean, or anything twice; and every run can be undone',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        mailLabels,
        suggestions,
        fc.uniqueArray(fc.constantFrom(...allIds), { maxLength: 2 }),
        rules,
        fc.array(decision, { minLength: 2, maxLength: 7 }),
        async (labels, stored, answered, wanted, decisions) => {
          const bench = await openSandboxBench(
            allIds.map((id, index) => ({
              ...seedMessage(id, index * HOURS_APART * 60, labels[index] ?? []),
              from: `Sender <sender${senderOf(id)}@shop.example>`,
            })),
            {},
          );
          try {
            for (const id of answered) await bench.sendInConversation(`thread-${id}`);
            const one = bench.openProcess({ stepSize: 6 });
            await one.list({ scope: 'all' });
            await bench.query('INSERT INTO "MailboxWatch" ("userId") SELECT "id" FROM "User"');
            const cached = await bench.query<{ emailId: string; key: string }>(
              `SELECT "emailId", encode("senderKey", 'hex') AS "key" FROM "CachedMessage"`,
            );
            const keyOf = (sender: number) =>
              cached.find(({ emailId }) => emailId === `m${sender}`)?.key ?? 'not cached';
            await bench.storeSuggestionsOf(stored);
            const toRequest = (choice: (typeof wanted)[number]): CreateRuleRequest => ({
              ...choice,
              condition:
                choice.condition.type === 'sender'
                  ? { type: 'sender', sender: keyOf(choice.condition.sender) }
                  : choice.condition,
              ...(choice.action === 'label' && { label: 'Ruled' }),
            });
            const made = new Map<string, (typeof wanted)[number]>();
            for (const choice of wanted) made.set((await one.rules.create(toRequest(choice))).id, choice);
            const idOf = (index: number): string => [...made.keys()][index % made.size] ?? '';

            const startedAtMs = bench.clock.nowMs();
            const protectedSenders = new Set<number>();
            const protect = async (sender: number) => {
              await one.protections.protect(keyOf(sender));
              protectedSenders.add(sender);
            };
            /** Emails that a rule means, however long ago it was made. */
            const isMeant = (id: string, choice: (typeof wanted)[number]): boolean => {
              const passedDays = (bench.clock.nowMs() - startedAtMs) / DAY_MS;
              if (ageOf(id) + passedDays < choice.olderThan) return false;
              if (choice.condition.type === 'sender') return senderOf(id) === choice.condition.sender;
              const { classification, minConfidence } = choice.condition;
              return (stored[id] ?? []).some(
                (one) => one.classification === classification && one.confidence_score >= minConfidence,
              );
            };
            const isProtected = (id: string): boolean =>
              protectedSenders.has(senderOf(id)) ||
              answered.includes(id) ||
              (labels[Number(id.slice(1))] ?? []).some((label) => ['STARRED', 'IMPORTANT'].includes(label));
            const isKept = (id: string): boolean =>
              (stored[id] ?? []).some(({ action }) => action === 'notify') && !rejected.has(id);
            const rejected = new Set<string>();

            const listNew = async (known: ReadonlySet<string>) =>
              (await bench.listHistory()).filter(({ id }) => !known.has(id));
            const ruled = async (work: () => Promise<unknown>, allowed: (ruleId: string) => boolean) => {
              const known = new Set((await bench.listHistory()).map(({ id }) => id));
              const before = bench.readLabels();
              await work();
              const after = bench.readLabels();
              const records = await listNew(known);
              const touched = new Map(records.map((record) => [record.emailId, record]));
              for (const id of allIds) {
                if (!touched.has(id) || isProtected(id)) {
                  expect([id, after.get(id)]).toEqual([id, before.get(id)]);
                }
              }
              for (const record of records) {
                const { source, ruleId = '' } = record.details as { source?: string; ruleId?: string };
                const choice = made.get(ruleId);
                expect(source).toBe('rule');
                if (choice === undefined) throw new Error('a record of no rule');
                expect(allowed(ruleId)).toBe(true);
                expect([record.emailId, isMeant(record.emailId, choice)]).toEqual([record.emailId, true]);
                const clears = choice.action === 'archive' || choice.action === 'delete';
                expect(clears && isKept(record.emailId)).toBe(false);
              }
            };
            const workOff = async () => {
              const open = await bench.query<{ id: string }>(
                `SELECT "id" FROM "Cleanup" WHERE "state" IN ('queued', 'running') ORDER BY "id"`,
              );
              for (const { id } of open) {
                expect(['completed', 'cancelled']).toContain((await one.cleanups.work(id)).state);
              }
            };

            for (const happening of decisions) {
              if (happening.kind === 'check') {
                await bench.letTimePass(DAY_MS);
                const found = await Promise.all([...made.keys()].map((id) => one.rules.find(id)));
                const enabled = new Set(found.filter((one) => one.enabled).map(({ id }) => id));
                await ruled(
                  async () => {
                    await one.rules.runDue();
                    if (happening.late !== null) await protect(happening.late);
                    await workOff();
                  },
                  (id) => enabled.has(id),
                );
              } else if (happening.kind === 'run') {
                const id = idOf(happening.index);
                await ruled(
                  async () => {
                    await one.rules.run(id);
                    await workOff();
                  },
                  (acting) => acting === id,
                );
              } else if (happening.kind === 'undo') {
                const id = idOf(happening.index);
                const isEnabled = (await one.rules.find(id)).enabled;
                const undone = await one.rules.undo(id);
                const { actions } = undone?.rule.counts ?? { actions: 0 };
                if (isEnabled && actions > 0) {
                  expect(undone?.rule).toMatchObject({ enabled: false, pausedReason: 'undone' });
                }
              } else if (happening.kind === 'switch') {
                await one.rules.update(idOf(happening.index), { enabled: happening.enabled });
              } else if (happening.kind === 'protect') await protect(happening.sender);
              else if (happening.kind === 'reject') {
                await one.confirm(happening.ids, 'reject');
                for (const id of happening.ids) rejected.add(id);
              } else {
                await bench.changeElsewhere({
                  ids: happening.ids,
                  added: ['INBOX', 'UNREAD'],
                  removed: [],
                  delayMs: 0,
                  isLost: false,
                });
              }
            }

            const acted = (await bench.listHistory()).filter(
              ({ details }) => (details as { source?: string }).source === 'rule',
            );
            const keys = acted.map(
              ({ emailId, details }) => `${emailId} ${(details as { ruleId?: string }).ruleId}`,
            );
            expect(new Set(keys).size).toBe(keys.length);
            const before = bench.readLabels();
            for (const id of made.keys()) await one.rules.undo(id);
            const left = (await bench.listHistory()).filter(
              ({ details, undoneAt }) =>
                (details as { source?: string }).source === 'rule' && undoneAt === null,
            );
            // Only what something else has changed since stays as it is.
            const changedSince = new Set(
              decisions.flatMap((happening) => (happening.kind === 'restore' ? happening.ids : [])),
            );
            const byEmail = Map.groupBy(acted, ({ emailId }) => emailId);
            const unexplained = left.filter(
              ({ emailId }) => !changedSince.has(emailId) && (byEmail.get(emailId)?.length ?? 0) === 1,
            );
            expect(unexplained).toEqual([]);
            const after = bench.readLabels();
            for (const { emailId, details, undoneAt } of await bench.listHistory()) {
              if (undoneAt === null || changedSince.has(emailId) || byEmail.get(emailId)?.length !== 1)
                continue;
              for (const label of details.labelChange.added) {
                expect([emailId, label, after.get(emailId)?.includes(label)]).toEqual([
                  emailId,
                  label,
                  false,
                ]);
              }
              for (const label of details.labelChange.removed) {
                expect([emailId, label, after.get(emailId)?.includes(label)]).toEqual([emailId, label, true]);
              }
            }
            expect(before.size).toBe(after.size);
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
