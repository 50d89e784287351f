import type { Suggestion } from '@mailsweep/contracts';
import { MailboxError } from '@mailsweep/mail/mailbox';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createConfirmSuggestions } from '../acting/confirm-suggestions.ts';
import { createExecuteInboxAction } from '../acting/execute-inbox-action.ts';
import { saveSuggestions } from '../suggestions/email-suggestion.repository.ts';
import { type Bench, openBench, USER_ID } from '../testing/executor-bench.ts';
import { createUndoActions } from '../undoing/undo-actions.ts';

const AWAY = new MailboxError('mailbox_unavailable', 'away');
const BUG = new TypeError('an error of ours');

describe('a mailbox that can’t be read', () => {
  test('fails every email of an inbox action, in their order, and changes nothing', async () => {
    bench.fake.failReading(AWAY);

    expect(await execute(USER_ID, { emailIds: ['b', 'a'], action: 'archive' })).toEqual({
      success: true,
      execution: 'none',
      summary: { total: 2, processed: 0, failed: 2 },
      action: 'archive',
      source: 'inbox',
      results: [
        { emailId: 'b', status: 'error', reason: 'mailbox_unavailable' },
        { emailId: 'a', status: 'error', reason: 'mailbox_unavailable' },
      ],
    });
    await expectNothingDone();
  });

  test('fails the accepted suggestions that need it, and no others', async () => {
    await show({ a: 'archive', b: 'notify', c: 'label' });
    bench.fake.failReading(AWAY);

    const response = await confirm(USER_ID, { emailIds: ['a', 'b', 'c', 'd'], action: 'accept' });
    expect(response.results).toEqual([
      { emailId: 'a', status: 'error', reason: 'mailbox_unavailable' },
      { emailId: 'b', status: 'ok', recordId: expect.any(String) },
      { emailId: 'c', status: 'error', reason: 'mailbox_unavailable' },
      { emailId: 'd', status: 'error', reason: 'mailbox_unavailable' },
    ]);
    expect(response).toMatchObject({ processed: 1, execution: 'partial', data: [{ emailId: 'b' }] });
    expect((await bench.listHistory()).map(({ emailId }) => emailId)).toEqual(['b']);
  });

  test('is no matter to rejections', async () => {
    await show({ a: 'archive' });
    bench.fake.failReading(AWAY);

    expect(await confirm(USER_ID, { emailIds: ['a', 'd'], action: 'reject' })).toMatchObject({
      execution: 'full',
    });
    expect(await bench.listHistory()).toHaveLength(2);
  });

  test('fails the undoing of what changed it, and of nothing else', async () => {
    await show({ a: 'archive', b: 'notify' });
    const { data } = await confirm(USER_ID, { emailIds: ['a', 'b'], action: 'accept' });
    const [changed = '', unchanged = ''] = data.map(({ id }) => id);
    const asked = bench.fake.changes.length;
    bench.fake.failReading(AWAY);

    expect((await undo(USER_ID, [changed, unchanged])).results).toEqual([
      { id: changed, emailId: 'a', status: 'error', reason: 'mailbox_unavailable' },
      { id: unchanged, emailId: 'b', status: 'ok', undoneAt: bench.time.now.toISOString() },
    ]);
    expect(bench.fake.changes.slice(asked).map(({ id }) => id)).toEqual(['b']);
    bench.fake.failReading(undefined);
    expect((await undo(USER_ID, [changed])).execution).toBe('full');
    expect(bench.fake.labelsOf('a')).toEqual(['INBOX']);
  });
});

describe('an error that is not the mailbox’s', () => {
  test('ends an inbox action before anything is done', async () => {
    bench.fake.failReading(BUG);

    await expect(execute(USER_ID, { emailIds: ['a'], action: 'delete' })).rejects.toBe(BUG);
    await expectNothingDone();
  });

  test('ends a confirmation that wants a label before anything is done', async () => {
    await show({ a: 'label' });
    bench.fake.mailbox.findOrCreateLabels = () => Promise.reject(BUG);

    await expect(confirm(USER_ID, { emailIds: ['a'], action: 'accept' })).rejects.toBe(BUG);
    await expectNothingDone();
  });

  test('ends an undo before anything is done', async () => {
    await execute(USER_ID, { emailIds: ['a'], action: 'archive' });
    const ids = (await bench.listHistory()).map(({ id }) => id);
    bench.fake.failReading(BUG);

    await expect(undo(USER_ID, ids)).rejects.toBe(BUG);
    expect(bench.fake.labelsOf('a')).toEqual([]);
    expect(await bench.listHistory()).toMatchObject([{ undoneAt: null }]);
  });
});

const expectNothingDone = async () => {
  expect(bench.fake.changes).toEqual([]);
  expect(await bench.listHistory()).toEqual([]);
  expect(await bench.listIntents()).toEqual([]);
  expect(await bench.listEvents()).toEqual([]);
};

/** Shows the user one suggestion for each of these emails. */
const show = (actions: Record<string, Suggestion['action']>) =>
  bench.database.$transaction((tx) =>
    saveSuggestions(
      tx,
      USER_ID,
      Object.entries(actions).map(([id, action]) => ({
        id,
        suggestions: [{ action, classification: 'bulk', confidence_score: 0.9 }],
      })),
      bench.time.now,
    ),
  );

const NO_CIPHER = { encrypt: (text: string) => text, decrypt: (text: string) => text };

let bench: Bench;
let execute: ReturnType<typeof createExecuteInboxAction>;
let confirm: ReturnType<typeof createConfirmSuggestions>;
let undo: ReturnType<typeof createUndoActions>;
beforeEach(async () => {
  bench = await openBench({ a: ['INBOX'], b: ['INBOX'], c: ['INBOX'], d: ['INBOX'] });
  const dependencies = {
    database: bench.database,
    openMailbox: () => bench.fake.mailbox,
    intentExecutor: bench.openExecutor(),
  };
  execute = createExecuteInboxAction(dependencies);
  confirm = createConfirmSuggestions({ ...dependencies, cipher: NO_CIPHER });
  undo = createUndoActions(dependencies);
});
afterEach(() => bench.close());
