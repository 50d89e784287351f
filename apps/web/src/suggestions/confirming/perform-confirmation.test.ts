import type { ApiClient } from '@mailsweep/client';
import type { ItemResult } from '@mailsweep/contracts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import { beginGesture } from '../../api/gesture.ts';
import { sampleRecord, sampleSuggestionGroup } from '../../testing/sample-email.ts';
import { useDecisions } from './decisions.ts';
import { performConfirmation } from './perform-confirmation.ts';

describe('deciding about suggestions', () => {
  it('takes the emails off the lists while the request is in flight', async () => {
    const response = Promise.withResolvers<void>();
    const app = setUp({ failing: ['email-1'], until: response.promise });
    const performing = performConfirmation(
      app,
      'accept',
      { emailIds: ['email-1', 'email-2'] },
      beginGesture(),
    );
    await waitFor(() => expect(app.decided()).toEqual(['email-1', 'email-2']));
    response.resolve();
    await performing;
    await waitFor(() => expect(app.decided()).toEqual([]));
  });

  it('shows them again when nothing could be done', async () => {
    const app = setUp({ isDown: true });
    await expect(
      performConfirmation(app, 'reject', { emailIds: ['email-1'] }, beginGesture()),
    ).rejects.toThrow('offline');
    await waitFor(() => expect(app.decided()).toEqual([]));
  });

  it('finds the emails of a group first', async () => {
    const app = setUp({});
    const { by, key } = sampleSuggestionGroup();
    const group = { by, key, minAcceptance: 0, except: ['email-9'] };
    const { results } = await performConfirmation(app, 'reject', { group, count: 2 }, beginGesture());
    expect(results.map(({ emailId }) => emailId)).toEqual(['email-7', 'email-8']);
  });

  it('can be undone by the records of the response', async () => {
    const app = setUp({});
    const { undo } = await performConfirmation(app, 'accept', { emailIds: ['email-2'] }, beginGesture());
    expect(await undo(beginGesture())).toEqual({ undone: 1, failures: '' });
    expect(app.undone).toEqual([sampleRecord(2).id]);
  });

  it('says why an undo left an email as it was', async () => {
    const app = setUp({ changedSince: ['email-2'] });
    const confirmed = { emailIds: ['email-2', 'email-3'] };
    const { undo } = await performConfirmation(app, 'accept', confirmed, beginGesture());
    expect(await undo(beginGesture())).toEqual({
      undone: 1,
      failures: '1 changed since, so left alone',
    });
  });
});

const numberOf = (emailId: string): number => Number(emailId.replace('email-', ''));

const setUp = ({
  failing = [] as string[],
  changedSince = [] as string[],
  isDown = false,
  until = Promise.resolve(),
}) => {
  const queryClient = new QueryClient();
  const undone: string[] = [];
  const summary = { total: 0, processed: 0, failed: 0 };
  const listStoredSuggestions = async () => ({
    data: [{ id: 'email-7' }, { id: 'email-8' }, { id: 'email-9' }],
    total: 3,
  });
  const client: Pick<ApiClient, 'confirmSuggestions' | 'undoActions'> = {
    confirmSuggestions: async ({ body: { emailIds, action } }) => {
      await until;
      if (isDown) throw new Error('offline');
      const results = emailIds.map(
        (emailId): ItemResult =>
          failing.includes(emailId)
            ? { emailId, status: 'error', reason: 'not_found' }
            : { emailId, status: 'ok' },
      );
      const done = emailIds.filter((emailId) => !failing.includes(emailId));
      const data = done.map((emailId) => sampleRecord(numberOf(emailId), { action }));
      return {
        success: true,
        processed: done.length,
        emailIds,
        action,
        data,
        execution: 'full',
        summary,
        results,
      };
    },
    undoActions: async ({ body }) => {
      undone.push(...body.ids);
      const results = body.ids.map((id) => {
        const emailId = `email-${Number(id.slice(-12))}`;
        return changedSince.includes(emailId)
          ? { id, emailId, status: 'error' as const, reason: 'changed_since' as const }
          : { id, emailId, status: 'ok' as const, undoneAt: '2026-01-31T10:00:00.000Z' };
      });
      return { success: true, execution: 'full', summary, results };
    },
  };
  const wrapper = ({ children }: { children: ReactNode }) =>
    createElement(QueryClientProvider, { client: queryClient }, children);
  const { result } = renderHook(useDecisions, { wrapper });
  return {
    queryClient,
    client: { ...client, listStoredSuggestions } as unknown as ApiClient,
    undone,
    decided: () => result.current.flatMap((decision) => ('ids' in decision ? [...decision.ids] : [])),
  };
};
