import type { CleanupSelection, Suggestion } from '@mailsweep/contracts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BenchProcess } from '../testing/bench-process.ts';
import { openSandboxBench, type SandboxBench, seedMessage } from '../testing/sandbox-bench.ts';

const COUNT = 21;
const allIds = Array.from({ length: COUNT }, (_, index) => `m${index}`);
/** Emails of the sender with this number. */
const idsOf = (sender: number) => allIds.filter((_, index) => index % 7 === sender);

/** Archived long ago, so that only what looks at all email finds it. */
const INVITATION = {
  ...seedMessage('invitation', 600, []),
  from: 'Calendar <calendar@works.example>',
  attachments: [{ filename: 'invite.ics', mimeType: 'text/calendar', sizeBytes: 2_048, isInline: false }],
};

const IN_INBOX: CleanupSelection = { type: 'filter', scope: 'inbox', except: [] };

describe('email of a protected sender', () => {
  test('is left out of the plan of a filter, cached or not, and counted', async () => {
    await protect(1);
    await bench.query(`DELETE FROM "CachedMessage" WHERE "emailId" = 'm8'`);
    const plan = await one.cleanups.plan({ action: 'archive', selection: IN_INBOX });

    expect(plan).toMatchObject({ total: COUNT - 3, excluded: { protected: 3 } });
    expect(await plannedIds(plan.id)).toEqual(allIds.filter((id) => !idsOf(1).includes(id)));
  });

  test('is left out of the plan of a selection of its sender', async () => {
    const senders = [await protect(1), await senderOf('m2')];
    const selection: CleanupSelection = { type: 'senders', senders, except: [] };
    const plan = await one.cleanups.plan({ action: 'mark_read', selection });
    expect(plan).toMatchObject({ total: 0, excluded: {} });

    const deletion = await one.cleanups.plan({ action: 'delete', selection });
    expect(deletion).toMatchObject({ total: 3, excluded: { protected: 3 } });
  });

  test('is skipped by a cleanup that was planned before, cached or not', async () => {
    const plan = await one.cleanups.plan({ action: 'delete', selection: IN_INBOX });
    await protect(1);
    await bench.query(`DELETE FROM "CachedMessage" WHERE "emailId" = 'm8'`);
    await one.cleanups.control(plan.id, 'run');
    const done = await one.cleanups.work(plan.id);

    expect(done).toMatchObject({ state: 'completed', changed: COUNT - 3, skipped: 3 });
    const skipped = await one.cleanups.listEmails(plan.id, { outcome: 'skipped' });
    expect(skipped?.data.map(({ emailId, reason }) => [emailId, reason])).toEqual(
      idsOf(1).map((id) => [id, 'protected']),
    );
    const labels = bench.readLabels();
    for (const id of idsOf(1)) expect(labels.get(id)).toEqual(['INBOX']);
  });
});

describe('email of a protected domain', () => {
  const NAME = 'sender.example';

  test('is left out of plans, of what is suggested, and of what a rule takes, and so is email that comes later', async () => {
    const [from] = await one.listSenderEmails(await senderOf('m1'));
    const domain = from?.from.match(/@(.*)>/)?.[1] ?? NAME;
    await bench.storeSuggestionsOf({ m1: [of('archive')] });
    expect(await one.protections.protectByName(domain.toUpperCase())).toMatchObject({ type: 'domain' });
    expect(await listOpen()).toEqual({});
    const plan = await one.cleanups.plan({ action: 'archive', selection: IN_INBOX });
    expect(plan.excluded.protected).toBeGreaterThanOrEqual(3);
    expect(await plannedIds(plan.id)).not.toContain('m1');
    await bench.query(`DELETE FROM "CachedMessage"`);
    await bench.query(`DELETE FROM "SenderName"`);
    await one.list({ scope: 'all' });
    expect(await one.findSender(await senderOf('m1'))).toMatchObject({
      protected: true,
      takes: { archive: 0 },
    });
  });
});

test('what cleanups take of a sender is what their plans have', async () => {
  const senders = [await senderOf('m1')];
  await bench.changeElsewhere({ ids: ['m1'], added: ['STARRED'], removed: [], delayMs: 0, isLost: false });
  await bench.changeElsewhere({
    ids: ['m8'],
    added: ['UNREAD'],
    removed: ['INBOX'],
    delayMs: 0,
    isLost: false,
  });
  await one.list({ scope: 'all' });
  await bench.storeSuggestionsOf({ m15: [of('label', 'receipt')] });
  const sender = await one.findSender(senders[0] ?? '');
  expect(sender).toMatchObject({ excluded: { starred: 1, receipt: 1 } });
  for (const action of ['archive', 'delete', 'mark_read', 'label'] as const) {
    const plan = await one.cleanups.plan({
      action,
      selection: { type: 'senders', senders, except: [] },
      ...(action === 'label' && { label: 'Kept' }),
    });
    expect([action, plan.total]).toEqual([action, sender?.takes[action]]);
  }
  expect(sender?.takes).toEqual({ archive: 0, delete: 1, mark_read: 1, label: 2 });
});

describe('what is suggested for protected email', () => {
  test('is withheld where it would clear it away, and shown again when the sender is no longer protected', async () => {
    await bench.storeSuggestionsOf({
      m1: [of('archive'), of('label', 'travel', 0.8)],
      m8: [of('delete')],
      m2: [of('archive')],
    });
    const before = await listOpen();
    expect(before).toEqual({ m1: ['archive', 'label'], m2: ['archive'], m8: ['delete'] });

    const sender = await protect(1);
    expect(await listOpen()).toEqual({ m1: ['label'], m2: ['archive'] });
    const { data } = await one.listSuggestionGroups({ by: 'sender' });
    expect(data.map((group) => [group.key === sender, group.protected, group.actions])).toEqual([
      [false, false, { archive: 1 }],
      [true, true, { label: 1 }],
    ]);
    const plan = await one.cleanups.plan({ action: 'accept', selection: SUGGESTED });
    expect(plan).toMatchObject({ plannedActions: { archive: 1 }, excluded: { protected: 2 } });

    await one.protections.unprotect(sender);
    expect(await listOpen()).toEqual(before);
  });

  test('is withheld of starred, important and answered email, of invitations, and of what is to be noticed', async () => {
    await bench.changeElsewhere({ ids: ['m0'], added: ['STARRED'], removed: [], delayMs: 0, isLost: false });
    await bench.changeElsewhere({
      ids: ['m1'],
      added: ['IMPORTANT'],
      removed: [],
      delayMs: 0,
      isLost: false,
    });
    await bench.sendInConversation('thread-m2');
    await one.list({ scope: 'all' });
    await bench.storeSuggestionsOf({
      ...Object.fromEntries(['m0', 'm1', 'm2', 'm5'].map((id) => [id, [of('archive')]])),
      m3: [of('archive'), of('notify', 'travel_alert', 0.8)],
      m4: [of('delete', 'receipt')],
      invitation: [of('delete')],
    });
    expect(await listOpen()).toEqual({ m3: ['notify'], m5: ['archive'] });
    const accepted = await one.cleanups.plan({ action: 'accept', selection: SUGGESTED });
    expect(accepted).toMatchObject({
      plannedActions: { archive: 1 },
      excluded: { starred: 1, important: 1, conversation: 1, notify: 1, receipt: 1 },
    });
    const kept = await one.listSenderEmails(await senderOf('m0'));
    expect(kept.map(({ id, protection }) => [id, protection])).toContainEqual(['m0', 'starred']);
    for (const [id, protection] of [
      ['m3', 'notify'],
      ['m4', 'receipt'],
    ] as const) {
      expect(await one.listSenderEmails(await senderOf(id))).toContainEqual(
        expect.objectContaining({ id, protection }),
      );
    }
    const [invited] = await one.listSenderEmails(await senderOf('invitation'));
    expect(invited).toMatchObject({ id: 'invitation', protection: 'invitation', suggestions: [] });
    const plan = await one.cleanups.plan({ action: 'delete', selection: IN_INBOX });
    expect(plan).toMatchObject({
      total: COUNT - 5,
      excluded: { starred: 1, important: 1, conversation: 1, notify: 1, receipt: 1 },
    });
    const read = await one.cleanups.plan({ action: 'mark_unread', selection: IN_INBOX });
    expect(read.excluded).toEqual({ starred: 1, important: 1, conversation: 1 });
  });

  test('is not accepted with all that is suggested where it is to be noticed, but with its group', async () => {
    await bench.storeSuggestionsOf({
      m3: [of('notify', 'travel_alert'), of('label', 'travel', 0.8)],
      m4: [of('label', 'travel'), of('notify', 'travel_alert', 0.8)],
      m5: [of('archive')],
    });
    expect(await one.cleanups.plan({ action: 'accept', selection: SUGGESTED })).toMatchObject({
      plannedActions: { archive: 1 },
      excluded: { notify: 2 },
    });
    const selection: CleanupSelection = { ...SUGGESTED, classification: 'travel_alert' };
    expect(await one.cleanups.plan({ action: 'accept', selection })).toMatchObject({
      plannedActions: { notify: 1 },
      excluded: {},
    });
  });

  test('is planned where receipts are what is asked for', async () => {
    await bench.storeSuggestionsOf({ m4: [of('delete', 'receipt')], m5: [of('label', 'receipt')] });
    const selection: CleanupSelection = { ...SUGGESTED, classification: 'receipt' };
    const accepted = await one.cleanups.plan({ action: 'accept', selection });
    expect(accepted).toMatchObject({ plannedActions: { label: 1 }, excluded: { receipt: 1 } });
    expect(await one.cleanups.plan({ action: 'archive', selection })).toMatchObject({
      total: 2,
      excluded: {},
    });
  });

  test('is carried out where the user names the emails', async () => {
    await bench.storeSuggestionsOf({ m1: [of('archive')], m8: [of('delete')], m2: [of('archive')] });
    await protect(1);
    const { results } = await one.confirm(['m1', 'm2'], 'accept');
    expect(results).toMatchObject([
      { emailId: 'm1', status: 'ok' },
      { emailId: 'm2', status: 'ok' },
    ]);
    expect(bench.readLabels().get('m1')).toEqual([]);
    await one.act(['m8', 'm15'], 'archive');
    expect(bench.readLabels().get('m15')).toEqual([]);
  });
});

const SUGGESTED = { type: 'suggestions' as const, except: [] };
const of = (action: string, classification = 'bulk', confidence_score = 0.9): Suggestion => ({
  action,
  classification,
  confidence_score,
});
/** The actions that are suggested, by email. */
const listOpen = async () => {
  const { data } = await one.listStoredSuggestions({});
  return Object.fromEntries(data.map(({ id, suggestions }) => [id, suggestions.map(({ action }) => action)]));
};

const protect = async (sender: number): Promise<string> => {
  const id = await senderOf(`m${sender}`);
  expect(await one.protections.protect(id)).toMatchObject({ id });
  return id;
};
const senderOf = async (emailId: string): Promise<string> => {
  const [row] = await bench.query<{ key: string }>(
    `SELECT encode("senderKey", 'hex') AS "key" FROM "CachedMessage" WHERE "emailId" = $1`,
    [emailId],
  );
  return row?.key ?? '';
};
const plannedIds = async (id: string) =>
  (await one.cleanups.listEmails(id))?.data.map(({ emailId }) => emailId);

let bench: SandboxBench;
let one: BenchProcess;
beforeEach(async () => {
  bench = await openSandboxBench(
    [...allIds.map((id, index) => seedMessage(id, index, ['INBOX'])), INVITATION],
    {},
  );
  one = bench.openProcess();
  await one.list({ scope: 'all' });
});
afterEach(() => bench.close());
