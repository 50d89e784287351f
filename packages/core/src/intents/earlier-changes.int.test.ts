import { MailboxError } from '@mailsweep/mail/mailbox';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createConfirmSuggestions } from '../acting/confirm-suggestions.ts';
import { createExecuteInboxAction } from '../acting/execute-inbox-action.ts';
import { archivePlan, type Bench, openBench, planItem, USER_ID } from '../testing/executor-bench.ts';
import { createUndoActions } from '../undoing/undo-actions.ts';

const lost = new MailboxError('mailbox_unavailable', 'no response');

describe('a change after one that a dead process left open', () => {
  test('claims what the earlier one did not do, and no more', async () => {
    await bench.fake.mailbox.changeLabels([{ id: 'a', added: [], removed: ['INBOX'] }], undefined);
    await bench.abandon(archivePlan('suggestions', 'a', 'b', 'c'));
    const response = await confirm(USER_ID, { emailIds: ['a', 'b'], action: 'accept' });

    expect(response.execution).toBe('full');
    expect(await listClaims()).toEqual(['a', 'b']);
    expect(await countConfirmed()).toBe(2);
    // What no request touches is left to the recovery rounds.
    expect((await bench.listIntents()).map(({ plan }) => plan.items.map(({ emailId }) => emailId))).toEqual([
      ['c'],
    ]);
    await bench.expireLeases();
    await bench.openExecutor().recover();
    expect(await listClaims()).toEqual(['a', 'b']);
  });

  test('does not touch emails with pending changes', async () => {
    await bench.abandon(archivePlan('inbox', 'a'));
    bench.fake.failReading(lost);
    const response = await act(USER_ID, { emailIds: ['a'], action: 'archive' });
    bench.fake.failReading(undefined);

    expect(response.results).toEqual([{ emailId: 'a', status: 'error', reason: 'mailbox_unavailable' }]);
    expect(bench.fake.changes).toEqual([]);
    expect(await act(USER_ID, { emailIds: ['a'], action: 'archive' })).toMatchObject({ execution: 'full' });
    expect(await listClaims()).toEqual(['a']);
  });

  test('a confirmation that is still to be recorded is not counted again', async () => {
    const rejection = { ...archivePlan('suggestions'), action: 'reject' };
    await bench.abandon({ ...rejection, items: [planItem('a', { added: [], removed: [] })] });
    await confirm(USER_ID, { emailIds: ['a'], action: 'reject' });
    await bench.openExecutor().recover();

    expect(await bench.listHistory()).toHaveLength(2);
    expect(await countConfirmed()).toBe(1);
  });

  test('an undo that was made is not made again', async () => {
    await act(USER_ID, { emailIds: ['a'], action: 'archive' });
    const [record] = await bench.listHistory();
    const item = { ...planItem('a', { added: ['INBOX'], removed: [] }), recordId: record?.id ?? '' };
    await bench.abandon({ kind: 'undo', items: [item] });
    await bench.fake.mailbox.changeLabels([{ id: 'a', added: ['INBOX'], removed: [] }], undefined);

    expect((await undo(USER_ID, [item.recordId])).results).toMatchObject([
      { status: 'error', reason: 'already_undone' },
    ]);
    expect(await bench.listIntents()).toEqual([]);
  });
});

test('a change after one whose response was lost is not claimed twice', async () => {
  bench.fake.decideWith(() => ({ doneBut: lost }));
  expect(await act(USER_ID, { emailIds: ['a'], action: 'archive' })).toMatchObject({ execution: 'none' });
  bench.fake.decideWith(() => 'done');
  expect(await act(USER_ID, { emailIds: ['a'], action: 'archive' })).toMatchObject({ execution: 'full' });

  expect(await listClaims()).toEqual(['a']);
  expect(await bench.listHistory()).toHaveLength(2);
});

test('a request whose lease was taken over does nothing', async () => {
  const executor = bench.openExecutor();
  const working = executor.withMailboxLease(USER_ID, async (leased) => {
    await bench.query('UPDATE "MailboxLease" SET "holderId" = gen_random_uuid()');
    return await leased.carryOut(archivePlan('inbox', 'a'));
  });

  await expect(working).rejects.toMatchObject({ code: 'mailbox_busy' });
  expect(bench.fake.changes).toEqual([]);
  expect(await bench.listIntents()).toEqual([]);
});

test('an undo that loses its lease between two actions on an email tells what it has undone', async () => {
  await act(USER_ID, { emailIds: ['a', 'b'], action: 'archive' });
  await act(USER_ID, { emailIds: ['a'], action: 'mark_unread' });
  bench.fake.decideWith(async () => {
    await bench.query('UPDATE "MailboxLease" SET "holderId" = gen_random_uuid()');
    return 'done' as const;
  });
  const records = await bench.listHistory();
  const { results, execution } = await undo(
    USER_ID,
    records.map(({ id }) => id),
  );

  expect(execution).toBe('partial');
  expect(results.map(({ status }) => status).toSorted()).toEqual(['error', 'ok', 'ok']);
  const undone = new Map((await bench.listHistory()).map(({ id, undoneAt }) => [id, undoneAt]));
  for (const result of results) {
    if (result.status === 'ok') expect(undone.get(result.id)).toEqual(new Date(result.undoneAt));
    else expect([result.reason, undone.get(result.id)]).toEqual(['in_progress', null]);
  }
});

test('the rounds leave a mailbox alone that is being changed, and come back soon', async () => {
  await bench.abandon(archivePlan('inbox', 'a'));
  const executor = bench.openExecutor();
  await executor.withMailboxLease(USER_ID, () => bench.openExecutor().recover());
  expect(await bench.listIntents()).toHaveLength(1);

  await executor.recover();
  expect(await bench.listIntents()).toEqual([]);
});

const listClaims = async (): Promise<string[]> =>
  (await bench.listHistory())
    .filter(({ details }) => details.labelChange.removed.includes('INBOX'))
    .map(({ emailId }) => emailId);

const countConfirmed = async (): Promise<number> => {
  const payloads = (await bench.listEvents()).map(({ payload }) => payload as { emailIds: string[] });
  return payloads.reduce((sum, { emailIds }) => sum + emailIds.length, 0);
};

const NO_CIPHER = { encrypt: (text: string) => text, decrypt: (text: string) => text };

let bench: Bench;
let act: ReturnType<typeof createExecuteInboxAction>;
let confirm: ReturnType<typeof createConfirmSuggestions>;
let undo: ReturnType<typeof createUndoActions>;
beforeEach(async () => {
  bench = await openBench({ a: ['INBOX'], b: ['INBOX'], c: ['INBOX'] });
  const dependencies = {
    database: bench.database,
    openMailbox: () => bench.fake.mailbox,
    intentExecutor: bench.openExecutor(),
  };
  act = createExecuteInboxAction(dependencies);
  confirm = createConfirmSuggestions({ ...dependencies, cipher: NO_CIPHER });
  undo = createUndoActions(dependencies);
});
afterEach(() => bench.close());
