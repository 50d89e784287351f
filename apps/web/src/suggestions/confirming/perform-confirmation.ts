import { type ConfirmAction, MAX_EMAIL_IDS } from '@mailsweep/contracts';
import type { QueryClient } from '@tanstack/react-query';
import type { ApiClient } from '../../api/api-client.ts';
import type { Gesture } from '../../api/gesture.ts';
import { sendInChunks } from '../../api/in-chunks.ts';
import { describeFailures } from '../../feedback/failure-reasons.ts';
import { EMAIL_LISTS_KEY, PRECISION_KEY, SENDERS_KEY, SUGGESTIONS_KEY } from '../../queries/query-keys.ts';
import { undoRecords } from '../../undo/undo-records.ts';
import type { PerformedWork } from '../../undo/use-undoable-work.ts';
import type { SuggestedEmail } from '../suggested-email.ts';
import { beginDecision, type DecidedGroup } from './decisions.ts';
import { showStopped } from './stopped-notice.ts';

interface Dependencies {
  queryClient: QueryClient;
  client: ApiClient;
}

/** Emails by their ids, with what is known of them, or a group whose ids are still to be found. */
export type Confirmed =
  | { emailIds: readonly string[]; emails?: readonly SuggestedEmail[] }
  | { group: DecidedGroup; count: number; findIds: () => Promise<readonly string[]> };

/**
 * Requests again what is shown of suggestions, and lets other screens do so when they are next shown: a suggestion was
 * carried out, or taken back.
 *
 * @returns when the suggestions are current
 */
const refreshAfterDecision = async (queryClient: QueryClient): Promise<void> => {
  queryClient.removeQueries({ queryKey: [EMAIL_LISTS_KEY], type: 'inactive' });
  void queryClient.invalidateQueries({ queryKey: ['history'] });
  void queryClient.invalidateQueries({ queryKey: ['activity'] });
  void queryClient.invalidateQueries({ queryKey: SENDERS_KEY });
  void queryClient.invalidateQueries({ queryKey: PRECISION_KEY });
  await queryClient.invalidateQueries({ queryKey: SUGGESTIONS_KEY });
};

/**
 * Accepts or rejects the suggestions of exactly the emails given. They are off the lists at once; what the API says
 * could not be done is back on them in the end.
 *
 * @param gesture - the click or key behind it
 * @throws as the client does when nothing was done
 */
export const performConfirmation = async (
  { queryClient, client }: Dependencies,
  action: ConfirmAction,
  confirmed: Confirmed,
  gesture: Gesture,
): Promise<PerformedWork> => {
  const endDecision = beginDecision(
    queryClient,
    'group' in confirmed
      ? confirmed.group
      : { ids: new Set(confirmed.emailIds), emails: confirmed.emails ?? [] },
  );
  try {
    const emailIds = 'group' in confirmed ? await confirmed.findIds() : confirmed.emailIds;
    const { responses, stopped } = await sendInChunks(emailIds, MAX_EMAIL_IDS, (chunk, index) =>
      client.confirmSuggestions({
        body: { emailIds: chunk, action },
        idempotencyKey: gesture.keyOf(index),
      }),
    );
    const results = responses.flatMap((response) => response.results);
    const recordIds = responses.flatMap((response) => response.data.map((record) => record.id));
    const ended = responses.flatMap((response) => response.stopped ?? []);
    const hideNotice = ended.length > 0 ? showStopped({ queryClient, client }, ended) : undefined;
    return {
      results,
      recordIds,
      stopped,
      undo: async (undoGesture) => {
        hideNotice?.();
        const undone = await undoRecords(client, recordIds, undoGesture);
        void refreshAfterDecision(queryClient);
        return {
          undone: undone.filter((result) => result.status === 'ok').length,
          failures: describeFailures(undone),
        };
      },
    };
  } finally {
    void refreshAfterDecision(queryClient).finally(endDecision);
  }
};
