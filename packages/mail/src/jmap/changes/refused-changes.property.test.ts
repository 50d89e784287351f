import type { LabelChange } from '@mailsweep/contracts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { setUpMailbox } from '../testing/test-mailbox.ts';

const ARCHIVE: LabelChange = { added: [], removed: ['INBOX'] };
const DELETE: LabelChange = { added: ['TRASH'], removed: ['INBOX'] };
const MARK_READ: LabelChange = { added: [], removed: ['UNREAD'] };

/** How often the server refuses the change of an email, and why. */
const refusal = fc.record({
  type: fc.constantFrom('forbidden', 'rateLimit', 'overQuota', 'tooManyMailboxes', 'unheardOf', 'notFound'),
  times: fc.constantFrom(0, 0, 0, 1, 2, 100),
});
/** What a call that changes emails meets besides, from the first on. */
const fault = fc.constantFrom(
  ...([undefined, undefined, undefined, 'foreign', 'lost', 'unreadable'] as const),
  ...(['stateMismatch', 'serverUnavailable', 'requestTooLarge', 'serverFail', 'forbidden'] as const),
);

it('whatever a server refuses, what was changed is what is recorded, and undone', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(refusal, { minLength: 1, maxLength: 30 }),
      fc.array(fault, { maxLength: 6 }),
      fc.constantFrom(ARCHIVE, DELETE, MARK_READ),
      fc.record({
        maxObjectsInSet: fc.integer({ min: 1, max: 8 }),
        maxCallsInRequest: fc.integer({ min: 2, max: 5 }),
      }),
      async (refusals, faults, change, limits) => {
        const left = new Map<string, { type: string; times: number }>();
        const { mailbox, server } = await setUpMailbox({
          limits,
          refuseChange(id) {
            const own = left.get(id);
            if (own === undefined || own.times <= 0) return undefined;
            own.times -= 1;
            return own.type;
          },
        });
        const other = server.deliver();
        const ids = refusals.map((own) => {
          const { id } = server.deliver();
          left.set(id, { ...own });
          return id;
        });
        const read = () =>
          new Map(
            ids.map((id) => {
              const { mailboxIds, keywords } = server.emails.get(id) ?? {};
              return [id, JSON.stringify([[...(mailboxIds ?? [])], [...(keywords ?? [])]])];
            }),
          );
        const before = read();
        const { historyId, labels } = await mailbox.readBaseline(ids);
        const toRequests = (wanted: (id: string) => LabelChange) =>
          ids.map((id) => ({ id, ...wanted(id), before: labels.get(id) }));

        const open = [...faults];
        server.beforeMethod((name) => {
          const next = name === 'Email/set' ? open.shift() : undefined;
          if (next === 'foreign')
            server.change(other.id, { 'keywords/$flagged': open.length % 2 ? null : true });
          return next === 'foreign' || next === 'lost' || next === 'unreadable' ? undefined : next;
        });
        server.intercept(({ methodCalls }) =>
          methodCalls?.[0]?.[0] === 'Email/set' && open[0] === 'lost' ? 'lost' : undefined,
        );
        server.afterMethods((responses) =>
          responses.map(([name, args, id]) =>
            name === 'Email/set' && open[0] === 'unreadable' && open.shift()
              ? [name, {}, id]
              : [name, args, id],
          ),
        );
        const outcomes = await mailbox.changeLabels(
          toRequests(() => change),
          historyId,
        );
        server.beforeMethod(() => undefined);
        server.intercept(() => undefined);
        server.afterMethods((responses) => responses);
        left.clear();

        const after = read();
        const recorded = new Map(
          outcomes.flatMap((one) => (one.status === 'ok' && one.change ? [[one.id, one.change]] : [])),
        );
        const changed = ids.filter((id) => after.get(id) !== before.get(id));
        const isOpen = new Set(
          outcomes.flatMap((one) => (one.status === 'error' && one.isUnsure ? [one.id] : [])),
        );
        for (const id of changed) expect([isOpen.has(id), recorded.get(id)]).not.toEqual([false, undefined]);
        expect([...recorded].filter(([, { removed }]) => removed.length > 0).map(([id]) => id)).toEqual(
          changed.filter((id) => !isOpen.has(id)),
        );

        const present = await mailbox.readBaseline([...recorded.keys()]);
        await mailbox.changeLabels(
          [...recorded].map(([id, { added, removed }]) => ({
            id,
            added: removed,
            removed: added,
            before: present.labels.get(id),
          })),
          present.historyId,
        );
        const undone = read();
        for (const id of ids.filter((one) => !isOpen.has(one))) expect(undone.get(id)).toBe(before.get(id));
      },
    ),
    { numRuns: 100 },
  );
}, 60_000);
