import { afterEach, describe, expect, test } from 'vitest';
import type { BenchProcess } from '../testing/bench-process.ts';
import { OWN_LABEL, openSandboxBench, type SandboxBench, seedMessage } from '../testing/sandbox-bench.ts';

const MINUTE_MS = 60_000;
const ARCHIVED = { added: [], removed: ['INBOX'] };

let bench: SandboxBench;
let one: BenchProcess;
const open = async (behaviour: Parameters<typeof openSandboxBench>[1], inbox = mailIds(30)) => {
  bench = await openSandboxBench(
    mailIds(30).map((id, index) => seedMessage(id, index, inbox.includes(id) ? ['INBOX'] : [])),
    { shortChangeResponses: true, ...behaviour },
  );
  one = bench.openProcess();
};
afterEach(() => bench.close());

const mailIds = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `m${from + index}`);
const readAll = () => one.mailbox.listEmails({ scope: 'all', pageSize: 100 });
const listChanges = async () => (await bench.listHistory()).map(({ details }) => details.labelChange);
const recover = async () => {
  await bench.letTimePass(5 * MINUTE_MS);
  await bench.expireLeases();
  await one.recover();
};

describe.each([false, true])(
  'a history that is late; its own id runs ahead of it: %s',
  (historyIdLeadsRecords) => {
    test('brings the changes of other clients into the cache, also where later ones were shown before', async () => {
      await open({ historyIdLeadsRecords });
      await readAll();
      await bench.changeElsewhere({
        ids: ['m1', 'm2'],
        added: ['STARRED'],
        removed: [],
        delayMs: 5_000,
        isLost: false,
      });
      await bench.changeElsewhere({
        ids: ['m2', 'm3'],
        added: ['UNREAD'],
        removed: [],
        delayMs: 0,
        isLost: false,
      });
      await readAll();
      await bench.letTimePass(5_000);
      await readAll();
      const cached = await bench.readCachedLabels();
      expect(mailIds(3, 1).map((id) => cached.get(id))).toEqual([
        ['INBOX', 'STARRED'],
        ['INBOX', 'STARRED', 'UNREAD'],
        ['INBOX', 'UNREAD'],
      ]);
    });

    test('brings what else Gmail changed into the cache', async () => {
      await open({ historyIdLeadsRecords, historyDelayMs: MINUTE_MS, importanceFollowsChanges: true });
      await readAll();
      await one.act(mailIds(12), 'archive');
      await one.act(mailIds(2, 12), 'archive');
      await bench.letTimePass(MINUTE_MS);
      await readAll();
      const cached = await bench.readCachedLabels();
      expect(mailIds(14).map((id) => cached.get(id))).toEqual(mailIds(14).map(() => ['IMPORTANT']));
    });

    test('that shows an earlier change with the next one does not make that claim both', async () => {
      await open({ historyIdLeadsRecords, historyDelayMs: 400 });
      await readAll();
      await one.act(mailIds(3), 'archive');
      await one.act(mailIds(12), 'delete');
      expect(await listChanges()).toEqual([
        ...mailIds(3).map(() => ARCHIVED),
        ...mailIds(3).map(() => ({ added: ['TRASH'], removed: [] })),
        ...mailIds(9).map(() => ({ added: ['TRASH'], removed: ['INBOX'] })),
      ]);
    });

    test('does not hide a change of an email that was fetched ahead of it', async () => {
      await open({ historyIdLeadsRecords, historyDelayMs: MINUTE_MS });
      await bench.changeElsewhere({
        ids: mailIds(3, 1),
        added: ['STARRED'],
        removed: [],
        delayMs: MINUTE_MS,
        isLost: false,
      });
      await readAll();
      await one.act(mailIds(12), 'delete');
      const ids = (await bench.listHistory()).map(({ id }) => id);
      expect(await one.undo(ids)).toMatchObject({ execution: 'full' });
    });

    test('does not hide a change of another client that came before one of ours, which changed nothing more', async () => {
      await open({ historyIdLeadsRecords, importanceFollowsChanges: true });
      await readAll();
      const archived = { ids: ['m1'], ...ARCHIVED, delayMs: MINUTE_MS, isLost: false };
      await bench.changeElsewhere(archived);
      await bench.changeElsewhere({
        ids: ['m20'],
        added: ['STARRED'],
        removed: [],
        delayMs: 0,
        isLost: false,
      });
      await readAll();
      await one.act(mailIds(12), 'archive');
      await bench.letTimePass(MINUTE_MS);
      await readAll();
      expect((await bench.readCachedLabels()).get('m1')).toEqual(['IMPORTANT']);
    });

    test('does not make a change look like none when the first emails were as wanted', async () => {
      await open({ historyIdLeadsRecords, historyDelayMs: MINUTE_MS }, mailIds(18, 12));
      expect(await one.act(mailIds(30), 'archive')).toMatchObject({ execution: 'full' });
      expect(await listChanges()).not.toContainEqual(ARCHIVED);
      await recover();
      const changes = new Map(
        (await bench.listHistory()).map(({ emailId, details }) => [emailId, details.labelChange]),
      );
      expect(mailIds(18, 12).map((id) => changes.get(id))).toEqual(mailIds(18).map(() => ARCHIVED));
    });
  },
);

test('a record of another client does not make a repeated action claim the first one', async () => {
  await open({ historyDelayMs: 6_000 });
  await readAll();
  const starred = { ids: ['m1'], added: ['STARRED'], removed: [], delayMs: 5_000, isLost: false };
  await bench.changeElsewhere(starred);
  await one.act(mailIds(12), 'delete');
  // Of the two records only the star's can be seen.
  await bench.letTimePass(1_500);
  await readAll();
  bench.onRequest(() => bench.letTimePass(2_000));
  await one.act(['m1'], 'delete');
  expect((await listChanges()).at(-1)).toEqual({ added: [], removed: [] });
});

test('labels of a response do not replace what the history shows of the same change', async () => {
  await open({ importanceFollowsChanges: true });
  await readAll();
  await bench.changeElsewhere({ ids: ['m1'], added: ['STARRED'], removed: [], delayMs: 0, isLost: false });
  await one.act(['m1'], 'archive');
  await readAll();
  expect((await bench.readCachedLabels()).get('m1')).toEqual(['IMPORTANT', 'STARRED']);
});

test('labels of a response do not replace what another client changed right after it', async () => {
  await open({}, []);
  await readAll();
  let requests = 0;
  bench.onRequest(async () => {
    requests += 1;
    if (requests !== 2) return;
    await bench.changeElsewhere({ ids: ['m1'], added: ['STARRED'], removed: [], delayMs: 0, isLost: false });
  });
  await one.act(['m1'], 'archive');
  await readAll();
  expect((await bench.readCachedLabels()).get('m1')).toEqual(['STARRED']);
});

describe('a change that the history does not show yet', () => {
  const actAndChangeElsewhere = async () => {
    await open({ historyDelayMs: MINUTE_MS });
    const { results } = await one.label(['m5']);
    // Shown at once, although it came later.
    await bench.changeElsewhere({ ids: ['m5'], added: ['STARRED'], removed: [], delayMs: 0, isLost: false });
    const [result] = results;
    return result && 'recordId' in result ? (result.recordId ?? '') : '';
  };

  test('is not taken for none because a later one of the same email is shown', async () => {
    const recordId = await actAndChangeElsewhere();
    expect((await one.act(['m5'], 'delete')).results).toEqual([
      { emailId: 'm5', status: 'error', reason: 'in_progress' },
    ]);
    expect(bench.readLabels().get('m5')).toEqual(['INBOX', OWN_LABEL, 'STARRED']);
    await recover();
    expect(await bench.listHistory()).toMatchObject([
      { id: recordId, details: { labelChange: { added: [OWN_LABEL], removed: [] } } },
    ]);
    expect(await one.act(['m5'], 'delete')).toMatchObject({ execution: 'full' });
  });

  test('can not be undone yet, and says so; later it can', async () => {
    const recordId = await actAndChangeElsewhere();
    expect((await one.undo([recordId])).results).toEqual([
      { id: recordId, emailId: 'm5', status: 'error', reason: 'in_progress' },
    ]);
    await recover();
    expect(await one.undo([recordId])).toMatchObject({ execution: 'full' });
    expect(bench.readLabels().get('m5')).toEqual(['INBOX', 'STARRED']);
  });

  test('keeps other records of the same email from being undone', async () => {
    await open({});
    await readAll();
    await one.act(['m5'], 'archive');
    const [archived] = await bench.listHistory();
    await bench.query('TRUNCATE "MailboxSync" CASCADE');
    await bench.changeBehaviour({ historyDelayMs: MINUTE_MS });
    await one.label(['m5']);
    expect((await one.undo([archived?.id ?? ''])).results).toMatchObject([{ reason: 'in_progress' }]);
  });
});
