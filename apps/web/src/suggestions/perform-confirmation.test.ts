import type { ItemResult } from '@mailsweep/contracts';
import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../api/api-client.ts';
import { beginGesture } from '../api/gesture.ts';
import { SUGGESTIONS_KEY } from '../queries/query-keys.ts';
import type { SuggestionList } from '../queries/suggestions-query.ts';
import { sampleRecord, sampleSuggested } from '../testing/sample-email.ts';
import { performConfirmation } from './perform-confirmation.ts';

describe('accepting suggestions', () => {
  it('takes the emails off the list at once, and puts back what could not be done', async () => {
    const app = setUp({ failing: ['email-1'] });
    const performing = performConfirmation(app, 'accept', ['email-1', 'email-2'], beginGesture());
    expect(app.listed()).toEqual(['email-3']);
    await performing;
    expect(app.listed()).toEqual(['email-1', 'email-3']);
  });

  it('can be undone by the records of the response, and then the suggestions are back', async () => {
    const app = setUp({});
    const { undo } = await performConfirmation(app, 'accept', ['email-2'], beginGesture());
    expect(await undo(beginGesture())).toEqual({ undone: 1, failures: '' });
    expect(app.undone).toEqual([sampleRecord(2).id]);
    expect(app.listed()).toEqual(['email-1', 'email-2', 'email-3']);
  });

  it('says why an undo left an email as it was, and does not put it back', async () => {
    const app = setUp({ changedSince: ['email-2'] });
    const { undo } = await performConfirmation(app, 'accept', ['email-2', 'email-3'], beginGesture());
    expect(await undo(beginGesture())).toEqual({
      undone: 1,
      failures: '1 changed since, so left as they are',
    });
    expect(app.listed()).toEqual(['email-1', 'email-3']);
  });
});

const numberOf = (emailId: string): number => Number(emailId.replace('email-', ''));

const setUp = ({ failing = [] as string[], changedSince = [] as string[] }) => {
  const queryClient = new QueryClient();
  const archive = { action: 'archive' as const, classification: 'bulk', confidence_score: 0.9 };
  const emails = [1, 2, 3].map((number) => sampleSuggested(number, [archive]));
  queryClient.setQueryData<SuggestionList>(SUGGESTIONS_KEY, {
    pages: [{ emails, classified: true, nextPageToken: null }],
    pageParams: [undefined],
  });
  const undone: string[] = [];
  const summary = { total: 0, processed: 0, failed: 0 };
  const client: Pick<ApiClient, 'confirmSuggestions' | 'undoActions'> = {
    confirmSuggestions: async ({ body: { emailIds, action } }) => {
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
  return {
    queryClient,
    client: client as ApiClient,
    undone,
    listed: () =>
      queryClient
        .getQueryData<SuggestionList>(SUGGESTIONS_KEY)
        ?.pages.flatMap((page) => page.emails.map((email) => email.id)),
  };
};
