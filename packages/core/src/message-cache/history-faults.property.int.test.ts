import fc from 'fast-check';
import { test } from 'vitest';
import type { BenchProcess } from '../testing/bench-process.ts';
import { propertyRuns } from '../testing/config.ts';
import { createMailboxModel, type OwnAction } from '../testing/mailbox-model.ts';
import { OWN_LABEL, openSandboxBench, seedMessage } from '../testing/sandbox-bench.ts';

const { numRuns, path, endOnFailure } = propertyRuns({ numRuns: 40 });
const MS_PER_RUN = 6_000;

const MAIL_COUNT = 30;
const PROCESS_COUNT = 2;
/** Longer than any delay of a record. */
const QUIET_AFTER_MS = 300_000;

const messages = Array.from({ length: MAIL_COUNT }, (_, index) =>
  seedMessage(`m${index}`, index, [
    ...(index % 5 === 0 ? [] : ['INBOX']),
    ...(index % 3 === 0 ? ['UNREAD'] : []),
    ...(index % 7 === 0 ? [OWN_LABEL] : []),
  ]),
);

const process = fc.nat(PROCESS_COUNT - 1);
const delayMs = fc.constantFrom(0, 0, 400, 1_500, 6_000, 60_000);
/** The last one does not exist. */
const ids = fc
  .oneof(
    fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 4 }),
    fc.uniqueArray(fc.nat(MAIL_COUNT), { minLength: 11, maxLength: MAIL_COUNT }),
  )
  .map((numbers) => numbers.map((number) => `m${number}`));
/** The first ones are labels of our actions. */
const label = fc.constantFrom('INBOX', 'UNREAD', 'TRASH', OWN_LABEL);
const otherLabel = fc.constantFrom('STARRED', 'CATEGORY_SOCIAL');
const changeOf = (labels: typeof label | typeof otherLabel) =>
  fc.record({
    ids,
    label: labels,
    isOn: fc.boolean(),
    delayMs,
  });
const isRare = fc.integer({ min: 0, max: 9 }).map((number) => number === 9);

const list = fc.record({
  kind: fc.constant('list' as const),
  process,
  scope: fc.constantFrom('inbox' as const, 'all' as const),
});
const act = fc.record({
  kind: fc.constant('act' as const),
  process,
  ids,
  action: fc.constantFrom<OwnAction[]>('archive', 'delete', 'mark_unread', 'label'),
  isLost: isRare,
  /** What another client does before one of its requests. */
  meanwhile: fc.option(fc.record({ request: fc.nat(4), change: changeOf(otherLabel) })),
});
const undo = fc.record({
  kind: fc.constant('undo' as const),
  process,
  count: fc.integer({ min: 1, max: 30 }),
});
const elsewhere = fc.record({
  kind: fc.constant('elsewhere' as const),
  change: fc.oneof(changeOf(otherLabel), changeOf(label)),
  isLost: isRare,
});
const wait = fc.record({
  kind: fc.constant('wait' as const),
  ms: fc.constantFrom(300, 2_000, 30_000, 300_000),
});
const restart = fc.record({ kind: fc.constant('restart' as const), process });
const recover = fc.record({ kind: fc.constant('recover' as const), process });

const behaviour = fc.record({
  shortChangeResponses: fc.constant(true),
  historyDelayMs: delayMs,
  historyIdLeadsRecords: fc.boolean(),
  historyRecords: fc.constantFrom('joined' as const, 'added_first' as const, 'removed_first' as const),
  historyBatchOrder: fc.constantFrom('as_requested' as const, 'reversed' as const),
  importanceFollowsChanges: fc.boolean(),
  historyEmptyPages: fc.nat(2),
  historyTrailingPages: fc.nat(2),
});

type Change =
  typeof elsewhere extends fc.Arbitrary<infer Step> ? (Step extends { change: infer C } ? C : never) : never;
const toChange = ({ ids: changed, label: name, isOn, delayMs: late }: Change, isLost: boolean) => ({
  ids: changed,
  added: isOn ? [name] : [],
  removed: isOn ? [] : [name],
  delayMs: late,
  isLost,
});

test(
  'records are what happened, undo takes back exactly that, and the cache ends up as the mailbox is',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        behaviour,
        fc.array(fc.oneof({ weight: 2, arbitrary: act }, list, undo, elsewhere, wait, restart, recover), {
          minLength: 3,
          maxLength: 12,
        }),
        async (settings, steps) => {
          const bench = await openSandboxBench(messages, settings);
          try {
            const model = createMailboxModel(bench);
            const processes = Array.from({ length: PROCESS_COUNT }, () => bench.openProcess());
            const doneBy = (index: number) => processes[index] as BenchProcess;
            for (const step of steps) {
              if (step.kind === 'list') await model.list(doneBy(step.process), step.scope);
              else if (step.kind === 'undo') await model.undo(doneBy(step.process), step.count);
              else if (step.kind === 'elsewhere')
                await model.changeElsewhere(toChange(step.change, step.isLost));
              else if (step.kind === 'wait') await bench.letTimePass(step.ms);
              else if (step.kind === 'restart') processes[step.process] = bench.openProcess();
              else if (step.kind === 'recover') await model.recover(doneBy(step.process), QUIET_AFTER_MS);
              else {
                const { meanwhile } = step;
                let requests = 0;
                if (meanwhile) {
                  bench.onRequest(async () => {
                    requests += 1;
                    if (requests === meanwhile.request + 1)
                      await model.changeElsewhere(
                        toChange({ ...meanwhile.change, delayMs: settings.historyDelayMs }, false),
                      );
                  });
                } else if (step.isLost) {
                  await bench.loseNextRecords();
                  model.noteLost(step.ids);
                }
                await model.act(doneBy(step.process), step.ids, step.action);
                bench.onRequest(async () => undefined);
                await bench.loseNoRecords();
              }
            }
            await model.recover(doneBy(0), QUIET_AFTER_MS);
            await model.undo(doneBy(1), 30);
            await model.recover(doneBy(1), QUIET_AFTER_MS);
          } finally {
            await bench.close();
          }
        },
      ),
      { numRuns, path, endOnFailure },
    );
  },
  60_000 + numRuns * MS_PER_RUN,
);
