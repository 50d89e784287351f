import type { ApiClient } from '@mailsweep/client';
import type { ItemResult } from '@mailsweep/contracts';
import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { beginGesture } from '../../api/gesture.ts';
import { sampleEmail, sampleRecord } from '../../testing/sample-email.ts';
import { type EmailList, toEmails } from './email-lists.ts';
import { performInboxAction } from './perform-inbox-action.ts';

describe('an inbox action', () => {
  it('is shown before the response', async () => {
    const app = setUp();
    const performing = performInboxAction(app, 'archive', ['email-1'], beginGesture());
    await expect.poll(app.listed).toEqual(['email-2', 'email-3']);
    app.response.resolve();
    await performing;
    expect(app.listed()).toEqual(['email-2', 'email-3']);
  });

  it('puts back exactly the emails that could not be processed', async () => {
    const app = setUp({ failing: ['email-2'] });
    app.response.resolve();
    const { results } = await performInboxAction(app, 'archive', ['email-1', 'email-2'], beginGesture());
    expect(app.listed()).toEqual(['email-2', 'email-3']);
    expect(results.filter((result) => result.status === 'error')).toHaveLength(1);
  });

  it('puts everything back when the request fails', async () => {
    const app = setUp();
    app.response.reject(new Error('offline'));
    await expect(performInboxAction(app, 'delete', ['email-1', 'email-3'], beginGesture())).rejects.toThrow(
      'offline',
    );
    expect(app.listed()).toEqual(['email-1', 'email-2', 'email-3']);
  });

  it('can be undone: exactly what was done is taken back and shown again', async () => {
    const app = setUp({ failing: ['email-2'] });
    app.response.resolve();
    const { undo } = await performInboxAction(app, 'archive', ['email-1', 'email-2'], beginGesture());
    const outcome = await undo(beginGesture());
    expect(app.undone).toEqual([sampleRecord(1).id]);
    expect(outcome).toEqual({ undone: 1, failures: '' });
    expect(app.listed()).toEqual(['email-1', 'email-2', 'email-3']);
  });

  it('takes the emails off a list that was fetched again while it ran', async () => {
    const app = setUp();
    const performing = performInboxAction(app, 'archive', ['email-1'], beginGesture());
    await expect.poll(app.listed).toEqual(['email-2', 'email-3']);
    app.fetchListAgain();
    app.response.resolve();
    await performing;
    expect(app.listed()).toEqual(['email-2', 'email-3']);
  });

  it('marks the lists, as their page tokens were given before the emails left', async () => {
    const app = setUp();
    app.response.resolve();
    await performInboxAction(app, 'archive', ['email-1'], beginGesture());
    expect(app.queryClient.getQueryState(KEY)?.isInvalidated).toBe(true);
  });

  it('keeps what earlier requests did when a later one fails, and can undo it', async () => {
    const app = setUp({ failAfterRequests: 1 });
    app.response.resolve();
    const ids = [
      'email-1',
      ...Array.from({ length: 1_000 }, (_nothing, index) => `other-${index}`),
      'email-2',
    ];
    const { results, stopped, undo } = await performInboxAction(app, 'archive', ids, beginGesture());
    expect(results).toHaveLength(1_000);
    expect(stopped?.left).toEqual(['other-999', 'email-2']);
    expect(app.listed()).toEqual(['email-2', 'email-3']);
    await undo(beginGesture());
    expect(app.listed()).toEqual(['email-1', 'email-2', 'email-3']);
  });

  it('sends no more than a thousand emails at a time', async () => {
    const app = setUp();
    app.response.resolve();
    const ids = Array.from({ length: 2_100 }, (_nothing, index) => `email-${index}`);
    const { results } = await performInboxAction(app, 'mark_unread', ids, beginGesture());
    expect(app.requestSizes).toEqual([1_000, 1_000, 100]);
    expect(results).toHaveLength(2_100);
    expect(new Set(app.keys).size).toBe(3);
  });

  it('sends the same keys when the same gesture is tried again, and others for another', async () => {
    const app = setUp();
    app.response.resolve();
    const ids = Array.from({ length: 1_100 }, (_nothing, index) => `email-${index}`);
    const gesture = beginGesture();
    for (const each of [gesture, gesture, beginGesture()]) {
      await performInboxAction(app, 'archive', ids, each);
    }
    const [first, again, other] = [app.keys.slice(0, 2), app.keys.slice(2, 4), app.keys.slice(4)];
    expect(again).toEqual(first);
    expect(new Set([...first, ...other]).size).toBe(4);
  });
});

const KEY = ['emails', {}];

const setUp = ({ failing = [] as string[], failAfterRequests = Number.POSITIVE_INFINITY } = {}) => {
  const queryClient = new QueryClient();
  const emails = [1, 2, 3].map((number) => sampleEmail(number));
  const fetchListAgain = () =>
    queryClient.setQueryData<EmailList>(KEY, {
      pages: [{ emails, nextPageToken: null, total: 3 }],
      pageParams: [undefined],
    });
  fetchListAgain();
  const response = Promise.withResolvers<void>();
  const emailIdOf = new Map<string, string>();
  const undone: string[] = [];
  const requestSizes: number[] = [];
  const keys: (string | undefined)[] = [];
  const client: Pick<ApiClient, 'executeInboxAction' | 'undoActions'> = {
    executeInboxAction: async ({ body, idempotencyKey }) => {
      keys.push(idempotencyKey);
      await response.promise;
      if (requestSizes.length >= failAfterRequests) throw new Error('offline');
      requestSizes.push(body.emailIds.length);
      const results = body.emailIds.map(
        (emailId): ItemResult =>
          failing.includes(emailId)
            ? { emailId, status: 'error', reason: 'not_found' }
            : { emailId, status: 'ok', recordId: sampleRecord(toNumber(emailId)).id },
      );
      for (const { emailId } of results) emailIdOf.set(sampleRecord(toNumber(emailId)).id, emailId);
      const summary = { total: results.length, processed: 0, failed: 0 };
      return { success: true, execution: 'full', action: body.action, source: 'inbox', summary, results };
    },
    undoActions: async ({ body }) => {
      undone.push(...body.ids);
      const results = body.ids.map((id) => {
        const emailId = emailIdOf.get(id) ?? '';
        return { id, emailId, status: 'ok' as const, undoneAt: '2026-01-31T10:00:00.000Z' };
      });
      return { success: true, execution: 'full', summary: { total: 1, processed: 1, failed: 0 }, results };
    },
  };
  return {
    queryClient,
    client: client as ApiClient,
    response,
    fetchListAgain,
    undone,
    requestSizes,
    keys,
    listed: () => toEmails(queryClient.getQueryData<EmailList>(KEY)).map((email) => email.id),
  };
};

/** `email-7` and `other-7` have records of their own. */
const toNumber = (emailId: string): number =>
  Number(emailId.replace(/\D/g, '')) + (emailId.startsWith('email-') ? 0 : 10_000);
