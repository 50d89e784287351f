import { type ConfirmAction, type ListSuggestionsResponse, MAX_EMAIL_IDS } from '@mailsweep/contracts';
import type { QueryClient } from '@tanstack/react-query';
import type { ApiClient } from '../api/api-client.ts';
import type { Gesture } from '../api/gesture.ts';
import { sendInChunks } from '../api/in-chunks.ts';
import { toDistinctEmails, withEmails, withoutEmails } from '../email/dated-pages.ts';
import { describeFailures } from '../feedback/failure-reasons.ts';
import { EMAIL_LISTS_KEY, SENDERS_KEY, SUGGESTIONS_KEY } from '../queries/query-keys.ts';
import type { SuggestionList } from '../queries/suggestions-query.ts';
import { undoRecords } from '../undo/undo-records.ts';
import type { PerformedWork } from '../undo/use-undoable-work.ts';

interface Dependencies {
  queryClient: QueryClient;
  client: ApiClient;
}

type ListedEmail = ListSuggestionsResponse['emails'][number];

const changePages = (
  queryClient: QueryClient,
  change: (pages: ListSuggestionsResponse[]) => ListSuggestionsResponse[],
): void => {
  queryClient.setQueryData<SuggestionList>(
    SUGGESTIONS_KEY,
    (list) => list && { ...list, pages: change(list.pages) },
  );
};

/** What other screens hold of the mailbox is out of date once a suggestion was carried out or taken back. */
const forgetElsewhere = (queryClient: QueryClient): void => {
  queryClient.removeQueries({ queryKey: [EMAIL_LISTS_KEY], type: 'inactive' });
  void queryClient.invalidateQueries({ queryKey: ['history'] });
  void queryClient.invalidateQueries({ queryKey: ['activity'] });
  void queryClient.invalidateQueries({ queryKey: SENDERS_KEY });
};

/**
 * Accepts or rejects the suggestions of exactly the emails given: takes them off the list at once, and puts back
 * what the API says could not be done.
 *
 * @param gesture - the click or key behind it
 * @throws as the client does when nothing was done, after the emails were put back
 */
export const performConfirmation = async (
  { queryClient, client }: Dependencies,
  action: ConfirmAction,
  emailIds: string[],
  gesture: Gesture,
): Promise<PerformedWork> => {
  const ids = new Set(emailIds);
  const pages = queryClient.getQueryData<SuggestionList>(SUGGESTIONS_KEY)?.pages ?? [];
  const originals = toDistinctEmails<ListedEmail>(pages).filter((email) => ids.has(email.id));
  const putBack = (backIds: ReadonlySet<string>) =>
    changePages(queryClient, (current) =>
      withEmails<ListedEmail, ListSuggestionsResponse>(
        current,
        originals.filter((email) => backIds.has(email.id)),
      ),
    );
  changePages(queryClient, (current) => withoutEmails<ListedEmail, ListSuggestionsResponse>(current, ids));

  const { responses, stopped } = await sendInChunks(emailIds, MAX_EMAIL_IDS, (chunk, index) =>
    client.confirmSuggestions({
      body: { emailIds: chunk, action },
      idempotencyKey: gesture.keyOf(index),
    }),
  ).catch((error: unknown) => {
    putBack(ids);
    throw error;
  });
  const results = responses.flatMap((response) => response.results);
  const records = responses.flatMap((response) => response.data);
  const failed = results.filter((result) => result.status === 'error').map((result) => result.emailId);
  putBack(new Set([...failed, ...(stopped?.left ?? [])]));
  forgetElsewhere(queryClient);

  const recordIds = records.map((record) => record.id);
  return {
    results,
    recordIds,
    stopped,
    undo: async (undoGesture) => {
      const undone = await undoRecords(client, recordIds, undoGesture);
      const restored = undone.flatMap((result) => (result.status === 'ok' ? [result.emailId] : []));
      putBack(new Set(restored));
      forgetElsewhere(queryClient);
      return { undone: restored.length, failures: describeFailures(undone) };
    },
  };
};
