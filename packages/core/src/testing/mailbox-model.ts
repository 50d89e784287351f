import { expect } from 'vitest';
import type { BenchProcess, HistoryRow } from './bench-process.ts';
import { type ChangeElsewhere, OWN_LABEL, type SandboxBench } from './sandbox-bench.ts';

export type OwnAction = 'archive' | 'delete' | 'mark_unread' | 'label';

const WANTED: Record<OwnAction, { added: string[]; removed: string[] }> = {
  archive: { added: [], removed: ['INBOX'] },
  delete: { added: ['TRASH'], removed: ['INBOX'] },
  mark_unread: { added: ['UNREAD'], removed: [] },
  label: { added: [OWN_LABEL], removed: [] },
};
const ACTION_LABELS = new Set(Object.values(WANTED).flatMap(({ added, removed }) => [...added, ...removed]));

const onlyActionLabels = (labels: readonly string[] = []) =>
  labels.filter((label) => ACTION_LABELS.has(label));

type Labels = ReadonlyMap<string, string[]>;

interface Change {
  added: string[];
  removed: string[];
}

const deltaOf = (before: Labels, after: Labels, id: string) => {
  const [was, is] = [onlyActionLabels(before.get(id)), onlyActionLabels(after.get(id))];
  return {
    added: is.filter((label) => !was.includes(label)),
    removed: was.filter((label) => !is.includes(label)),
  };
};

/**
 * Whether undo has to take a change back from a message with such labels: it is in effect, and the message was not
 * discarded since. In the inbox and still in the trash, it would be deleted with that.
 */
export const canBeUndone = ({ added, removed }: Change, labels: readonly string[]): boolean => {
  const isDiscarded = ['TRASH', 'SPAM'].some((label) => labels.includes(label) && !added.includes(label));
  return (
    added.every((label) => labels.includes(label)) &&
    !removed.some((label) => labels.includes(label)) &&
    !(removed.includes('INBOX') && isDiscarded)
  );
};

const isNothing = ({ added, removed }: Change) => added.length === 0 && removed.length === 0;
const sorted = ({ added, removed }: Change) => ({
  added: added.toSorted(),
  removed: removed.toSorted(),
});

/**
 * Compares what processes say and record with what really happened to a mailbox. What cannot be told apart is left
 * out (docs/decisions/022): another client's change of the very labels of an action, that the history does not show yet.
 */
export const createMailboxModel = (bench: SandboxBench) => {
  /** Messages whose action labels another client changed, until the history shows it. */
  const unclear = new Set<string>();
  /** Messages of which a record of the history was lost. */
  const lost = new Set<string>();
  /** What records that are still to be written have to say; null where that cannot be told. */
  const pending = new Map<string, { emailId: string; delta: Change | null }>();

  /** Records whose undo was reported as done; where the history is late, it is recorded only later. */
  const undone = new Set<string>();

  const isSure = (id: string) => !unclear.has(id) && !lost.has(id);
  const readRecords = async () =>
    new Map((await bench.listHistory()).map((record): [string, HistoryRow] => [record.id, record]));

  const checkRecord = (record: HistoryRow, delta: Change | null) => {
    if (delta === null || !isSure(record.emailId)) return;
    expect([record.emailId, sorted(record.details.labelChange)]).toEqual([record.emailId, sorted(delta)]);
  };

  return {
    /** Acts on emails; what was recorded must be what happened. */
    async act(one: BenchProcess, ids: string[], action: OwnAction) {
      const before = bench.readLabels();
      const known = await readRecords();
      const { results } = await (action === 'label' ? one.label(ids) : one.act(ids, action));
      const after = bench.readLabels();
      const records = await readRecords();
      const pendingIds = await bench.listPending();
      for (const id of before.keys()) {
        if (!ids.includes(id))
          expect([id, deltaOf(before, after, id)]).toEqual([id, { added: [], removed: [] }]);
      }
      expect(results.map(({ emailId }) => emailId)).toEqual(ids);
      for (const result of results) {
        const { emailId } = result;
        const delta = deltaOf(before, after, emailId);
        if (result.status === 'error') {
          const isExpected = result.reason === 'in_progress' ? pendingIds.has(emailId) : !before.has(emailId);
          if (isSure(emailId))
            expect([emailId, result.reason, isExpected]).toEqual([emailId, result.reason, true]);
          expect([emailId, delta]).toEqual([emailId, { added: [], removed: [] }]);
          continue;
        }
        const present = after.get(emailId);
        const { added, removed } = WANTED[action];
        // That there is no such message may be reported later: a batch passes over it.
        if (present)
          expect([
            emailId,
            added.every((label) => present.includes(label)),
            removed.some((label) => present.includes(label)),
          ]).toEqual([emailId, true, false]);
        const record = records.get(result.recordId ?? '');
        if (record) checkRecord(record, delta);
        else pending.set(result.recordId ?? '', { emailId, delta: isSure(emailId) ? delta : null });
      }
      for (const [id, record] of records) {
        const expected = pending.get(id);
        if (known.has(id) || expected === undefined) continue;
        checkRecord(record, expected.delta);
        pending.delete(id);
      }
    },

    /** Undoes the last records; exactly what they say must be taken back. */
    async undo(one: BenchProcess, count: number) {
      const records = [...(await readRecords()).values()]
        .filter(({ undoneAt }) => undoneAt === null)
        .slice(-count);
      if (records.length === 0) return;
      const expected = new Map([...bench.readLabels()].map(([id, labels]) => [id, new Set(labels)]));
      const { results } = await one.undo(records.map(({ id }) => id));
      const resultOf = new Map(
        results.map((result) => [result.id, result.status === 'ok' ? 'ok' : result.reason]),
      );
      const after = bench.readLabels();
      const pendingIds = await bench.listPending();
      for (const { id, emailId, details } of records.toReversed()) {
        if (!isSure(emailId)) continue;
        const { added, removed } = details.labelChange;
        const labels = expected.get(emailId);
        // A change of nothing may have a record even if there is no such email: not each one is read.
        const isReversible =
          isNothing(details.labelChange) ||
          (labels !== undefined && canBeUndone(details.labelChange, [...labels]));
        if (resultOf.get(id) === 'in_progress') {
          expect(pendingIds).toContain(emailId);
          continue;
        }
        if (undone.has(id)) {
          expect([emailId, resultOf.get(id)]).toEqual([emailId, 'already_undone']);
          continue;
        }
        expect([emailId, resultOf.get(id)]).toEqual([emailId, isReversible ? 'ok' : 'changed_since']);
        if (!isReversible) continue;
        for (const label of added) labels?.delete(label);
        for (const label of removed) labels?.add(label);
      }
      for (const { id, status } of results) if (status === 'ok') undone.add(id);
      for (const [id, labels] of expected) {
        if (!isSure(id)) continue;
        const present = onlyActionLabels(after.get(id)).toSorted();
        expect([id, present]).toEqual([id, onlyActionLabels([...labels]).toSorted()]);
      }
    },

    async changeElsewhere(change: ChangeElsewhere) {
      const before = bench.readLabels();
      await bench.changeElsewhere(change);
      const after = bench.readLabels();
      const changed = new Set(change.ids.filter((id) => !isNothing(deltaOf(before, after, id))));
      for (const id of changed) unclear.add(id);
      // Records do not name their client: of two alike, either may be taken for that of the pending change.
      for (const one of pending.values()) if (changed.has(one.emailId)) one.delta = null;
      if (change.isLost) for (const id of change.ids) lost.add(id);
    },

    noteLost(ids: string[]) {
      for (const id of ids) lost.add(id);
    },

    /** Reads a list; it must have the emails that the mailbox has. */
    async list(one: BenchProcess, scope: 'inbox' | 'all') {
      const { emails } = await one.mailbox.listEmails({ scope, pageSize: 100 });
      const expected = [...bench.readLabels()].filter(
        ([, labels]) =>
          !labels.some((label) => ['SPAM', 'TRASH', 'DRAFT', 'CHAT'].includes(label)) &&
          (scope === 'all' || labels.includes('INBOX')),
      );
      expect(emails.map(({ id }) => id).toSorted()).toEqual(expected.map(([id]) => id).toSorted());
    },

    /** Once all history has been shown: the cache must equal the mailbox, and no record may be missing. */
    async recover(one: BenchProcess, quietAfterMs: number) {
      await bench.letTimePass(quietAfterMs);
      // Where records were lost, each round finds out about some of the emails.
      for (let round = 0; round < 50; round += 1) {
        await bench.expireLeases();
        await one.recover();
        const pendingIds = await bench.listPending();
        if ([...pendingIds].every((id) => lost.has(id))) break;
      }
      await this.list(one, 'all');
      // By now the overlap begins after the last change: what it did not show of ours is read again.
      await bench.letTimePass(quietAfterMs);
      await this.list(one, 'all');
      // A list catches up only where it shows cached emails; those in the trash are on no list.
      await one.mailbox.findEmails([...(await bench.readCachedLabels()).keys()]);
      unclear.clear();
      const labels = bench.readLabels();
      for (const [id, cached] of await bench.readCachedLabels()) {
        if (!lost.has(id)) expect([id, cached]).toEqual([id, labels.get(id)]);
      }
      const records = await readRecords();
      for (const [recordId, { emailId, delta }] of pending) {
        const record = records.get(recordId);
        pending.delete(recordId);
        if (record === undefined && (lost.has(emailId) || !labels.has(emailId))) continue;
        expect(record, `the change of ${emailId} was never recorded`).toBeDefined();
        if (record) checkRecord(record, delta);
      }
    },
  };
};
