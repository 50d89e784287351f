import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../testing/config.ts';
import { openSandboxBench, seedMessage } from '../testing/sandbox-bench.ts';

const { numRuns, path, endOnFailure } = propertyRuns({ numRuns: 12 });
const MS_PER_RUN = 10_000;

const MAIL_COUNT = 24;
const STEP_SIZE = 7;
const allIds = Array.from({ length: MAIL_COUNT }, (_, index) => `m${index}`);
const messages = allIds.map((id, index) =>
  seedMessage(id, index, [
    ...(index % 6 === 5 ? [] : ['INBOX']),
    ...(index % 3 === 0 ? ['UNREAD'] : []),
    ...(index % 8 === 7 ? ['STARRED'] : []),
  ]),
);

const ids = fc.uniqueArray(fc.constantFrom(...allIds), { minLength: 1, maxLength: 6 });
/** What happens between two steps of the cleanup. */
const event = fc.oneof(
  fc.record({ kind: fc.constant('star' as const), ids }),
  fc.record({ kind: fc.constant('archive' as const), ids }),
  fc.record({ kind: fc.constant('unread' as const), ids }),
  fc.record({ kind: fc.constant('reply' as const), id: fc.constantFrom(...allIds) }),
  fc.record({ kind: fc.constant('arrive' as const) }),
  fc.record({ kind: fc.constant('act' as const), ids }),
  fc.record({ kind: fc.constant('kill' as const) }),
  fc.record({ kind: fc.constant('pause' as const) }),
  fc.record({ kind: fc.constant('nothing' as const) }),
);
const action = fc.constantFrom('archive' as const, 'delete' as const, 'mark_read' as const);

test(
  'a cleanup changes none but its frozen emails, none that was starred, moved or answered before, each at most once, and nothing once it has expired',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        action,
        fc.uniqueArray(fc.constantFrom(...allIds), { maxLength: 5 }),
        fc.array(event, { maxLength: 8 }),
        async (wanted, except, events) => {
          const bench = await openSandboxBench(messages, {});
          try {
            const one = bench.openProcess({ stepSize: STEP_SIZE });
            const plan = await one.cleanups.plan({
              action: wanted,
              selection: { type: 'filter', scope: 'inbox', except },
            });
            const frozen = new Set(
              (await one.cleanups.listEmails(plan.id))?.data.map(({ emailId }) => emailId),
            );
            for (const id of except) expect(frozen.has(id)).toBe(false);
            // Beside it one of everything that has expired, which may do nothing.
            const expired = await one.cleanups.plan({
              action: 'delete',
              selection: { type: 'filter', scope: 'all', except: [] },
            });
            await bench.query(`UPDATE "Cleanup" SET "expiresAt" = now() - interval '1 s' WHERE "id" = $1`, [
              expired.id,
            ]);
            await expect(one.cleanups.control(expired.id, 'run')).rejects.toThrow('expired');
            expect(await one.cleanups.takeStep(expired.id)).toEqual({ kind: 'over' });
            await one.cleanups.control(plan.id, 'run');

            /** Emails that may not be changed from then on, by what others did to them. */
            const touched = new Set<string>();
            /** Emails of a step whose process died: they may have been changed already. */
            let inDoubt = new Set<string>();
            const readRecorded = async () =>
              new Set(
                (
                  await bench.query<{ emailId: string }>(
                    `SELECT "emailId" FROM "ActionHistory" WHERE "batchId" = $1`,
                    [plan.batchId],
                  )
                ).map(({ emailId }) => emailId),
              );
            const noteTouched = async (changed: readonly string[]) => {
              const recorded = await readRecorded();
              for (const id of changed) if (!recorded.has(id) && !inDoubt.has(id)) touched.add(id);
            };
            const changeElsewhere = (changed: string[], added: string[], removed: string[]) =>
              bench.changeElsewhere({ ids: changed, added, removed, delayMs: 0, isLost: false });

            const recover = async () => {
              await bench.expireLeases();
              bench.clock.advance(300_000);
            };
            for (const happening of events) {
              const inboxBefore = bench.readLabels();
              if (happening.kind === 'star') {
                await noteTouched(happening.ids.filter((id) => !inboxBefore.get(id)?.includes('STARRED')));
                await changeElsewhere(happening.ids, ['STARRED'], []);
              } else if (happening.kind === 'archive') {
                await noteTouched(happening.ids.filter((id) => inboxBefore.get(id)?.includes('INBOX')));
                await changeElsewhere(happening.ids, [], ['INBOX']);
              } else if (happening.kind === 'unread') await changeElsewhere(happening.ids, ['UNREAD'], []);
              else if (happening.kind === 'reply') {
                await noteTouched([happening.id]);
                await bench.sendInConversation(`thread-${happening.id}`);
              } else if (happening.kind === 'arrive') await bench.deliver('new');
              else if (happening.kind === 'act') {
                await noteTouched(happening.ids.filter((id) => inboxBefore.get(id)?.includes('INBOX')));
                await one.act(happening.ids, 'archive');
              } else if (happening.kind === 'pause') {
                const { state } = await one.cleanups.find(plan.id);
                if (['queued', 'running', 'waiting'].includes(state)) {
                  await one.cleanups.control(plan.id, 'pause');
                  await one.cleanups.takeStep(plan.id);
                  await one.cleanups.control(plan.id, 'resume');
                }
              } else if (happening.kind === 'kill') {
                const { promise: died, resolve: die } = Promise.withResolvers<void>();
                const dying = bench.openProcess({ onDeath: die, stepSize: STEP_SIZE });
                const open = (await one.cleanups.listEmails(plan.id))?.data ?? [];
                const next = open.filter(({ outcome }) => outcome === 'open').slice(0, STEP_SIZE);
                inDoubt = new Set(next.map(({ emailId }) => emailId));
                await Promise.race([died, dying.cleanups.takeStep(plan.id)]);
                await recover();
              }
              if (happening.kind !== 'nothing') continue;
              await one.cleanups.takeStep(plan.id);
              inDoubt = new Set();
            }
            await recover();
            const done = await one.cleanups.work(plan.id);

            expect(done).toMatchObject({ state: 'completed', processed: frozen.size });
            const recorded = await bench.query<{ emailId: string; status: string }>(
              `SELECT "emailId", "details"->'gmailResponse'->>'status' AS "status"
               FROM "ActionHistory" WHERE "batchId" = $1`,
              [plan.batchId],
            );
            const recordedIds = recorded.map(({ emailId }) => emailId);
            expect(new Set(recordedIds).size).toBe(recordedIds.length);
            expect(recordedIds.filter((id) => !frozen.has(id))).toEqual([]);
            expect(done.changed + done.unchanged).toBe(recorded.length);
            const changed = recorded.filter(({ status }) => status === 'ok').map(({ emailId }) => emailId);
            expect(changed.filter((id) => touched.has(id))).toEqual([]);
            // Nothing else was trashed, by anyone.
            const trashed = [...bench.readLabels()].filter(([, labels]) => labels.includes('TRASH'));
            expect(trashed.map(([id]) => id).filter((id) => !changed.includes(id))).toEqual([]);
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
