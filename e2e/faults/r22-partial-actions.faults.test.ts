import { beforeAll, describe, expect, it } from 'vitest';
import { openRow } from './harness/campaign.ts';
import { ADA, explainFailure, type FaultStack, startFaultStack, type User } from './harness/fault-stack.ts';
import { mails } from './harness/google.ts';

const ALWAYS = 10_000;

interface Result {
  emailId: string;
  status: 'ok' | 'error';
  reason?: string;
}

const row = openRow('R22');

describe('R22 an action on ten emails', () => {
  it('of which three are unknown succeeds in part, with outcomes in the order of the request', async () => {
    explainFailure(stack);
    const emailIds = [
      'known-1',
      'no-1',
      'known-2',
      'known-3',
      'no-2',
      'known-4',
      'known-5',
      'known-6',
      'no-3',
      'known-7',
    ];
    const response = await ada.ask('/api/v1/inbox/actions', { json: { emailIds, action: 'archive' } });
    row.ran();
    row.responded(response.tookMs);
    expect(response).toMatchObject({
      status: 200,
      body: { execution: 'partial', summary: { total: 10, processed: 7, failed: 3 } },
    });
    expect(response.body.results).toMatchObject(
      emailIds.map((emailId) =>
        emailId.startsWith('no')
          ? { emailId, status: 'error', reason: 'not_found' }
          : { emailId, status: 'ok' },
      ),
    );
  });

  it('during which Gmail goes away after the fourth names those four, and why not the rest', async () => {
    explainFailure(stack);
    const emailIds = mails(10, 'late').map(({ id }) => id);
    await stack.google.fail({
      kind: 'unavailable',
      path: '/messages/[^/]+/modify$',
      method: 'POST',
      after: 4,
      times: ALWAYS,
    });
    const response = await ada.ask('/api/v1/inbox/actions', { json: { emailIds, action: 'archive' } });
    await stack.google.heal();
    row.ran();
    row.responded(response.tookMs);
    expect(response).toMatchObject({
      status: 200,
      body: { execution: 'partial', summary: { total: 10, processed: 4, failed: 6 } },
    });
    const results: Result[] = response.body.results;
    expect(results.map(({ emailId }) => emailId)).toEqual(emailIds);
    for (const { emailId, status, reason } of results) {
      const isInInbox = (await stack.google.labelsOf(ADA, emailId)).includes('INBOX');
      expect({ emailId, status, reason }).toEqual(
        isInInbox
          ? { emailId, status: 'error', reason: 'mailbox_unavailable' }
          : { emailId, status: 'ok', reason: undefined },
      );
    }
  });

  let stack: FaultStack;
  let ada: User;
  beforeAll(async () => {
    stack = await startFaultStack({
      workers: 0,
      mail: { [ADA]: [...mails(7, 'known'), ...mails(10, 'late')] },
    });
    ada = await stack.signIn();
  });
});
