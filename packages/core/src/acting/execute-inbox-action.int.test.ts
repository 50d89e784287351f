import { MailboxError } from '@mailsweep/mail/mailbox';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Bench, openBench, USER_ID } from '../testing/executor-bench.ts';
import { createExecuteInboxAction } from './execute-inbox-action.ts';

test('an action on the inbox is carried out email by email, each once, and recorded as one of the inbox', async () => {
  bench.fake.decideWith(({ id }) => (id === 'b' ? new MailboxError('forbidden', 'refused') : 'done'));
  const response = await execute(USER_ID, { emailIds: ['a', 'b', 'a'], action: 'archive' });

  const records = await bench.listHistory();
  expect(response).toEqual({
    success: true,
    execution: 'partial',
    action: 'archive',
    source: 'inbox',
    summary: { total: 2, processed: 1, failed: 1 },
    results: [
      { emailId: 'a', status: 'ok', recordId: records[0]?.id },
      { emailId: 'b', status: 'error', reason: 'forbidden' },
    ],
  });
  expect(bench.fake.labelsOf('a')).toEqual(['UNREAD']);
  expect(records).toMatchObject([
    {
      emailId: 'a',
      action: 'archive',
      details: {
        source: 'inbox',
        gmailResponse: { status: 'ok' },
        note: '',
        labelChange: { added: [], removed: ['INBOX'] },
      },
    },
  ]);
  expect(await bench.listEvents()).toEqual([]);
});

test('all records of a request are one batch, and each request is another', async () => {
  await execute(USER_ID, { emailIds: ['a', 'b'], action: 'archive' });
  await execute(USER_ID, { emailIds: ['a'], action: 'mark_unread' });

  const [archived, marked] = await bench.database.actionBatch.findMany({ orderBy: { id: 'asc' } });
  expect(archived).toMatchObject({ source: 'inbox', action: 'archive', total: 2, undone: 0 });
  expect(marked).toMatchObject({ source: 'inbox', action: 'mark_unread', total: 1 });
  const records = await bench.listHistory();
  expect(records.map(({ emailId, batchId }) => [emailId, batchId]).toSorted()).toEqual(
    [
      ['a', archived?.id],
      ['a', marked?.id],
      ['b', archived?.id],
    ].toSorted(),
  );
  expect(archived?.startedAt).toEqual(bench.time.now);
});

test('drafts and chats are refused one by one, and left as they are', async () => {
  const response = await execute(USER_ID, { emailIds: ['draft', 'a', 'chat'], action: 'delete' });

  expect(response.results).toEqual([
    { emailId: 'draft', status: 'error', reason: 'not_found' },
    expect.objectContaining({ emailId: 'a', status: 'ok' }),
    { emailId: 'chat', status: 'error', reason: 'not_found' },
  ]);
  expect(bench.fake.labelsOf('draft')).toEqual(['DRAFT']);
  expect(bench.fake.labelsOf('chat')).toEqual(['CHAT']);
  expect(await bench.listHistory()).toMatchObject([{ emailId: 'a' }]);
});

let bench: Bench;
let execute: ReturnType<typeof createExecuteInboxAction>;
beforeEach(async () => {
  bench = await openBench({ a: ['INBOX', 'UNREAD'], b: ['INBOX'], draft: ['DRAFT'], chat: ['CHAT'] });
  execute = createExecuteInboxAction({
    database: bench.database,
    openMailbox: () => bench.fake.mailbox,
    intentExecutor: bench.openExecutor(),
  });
});
afterEach(() => bench.close());
