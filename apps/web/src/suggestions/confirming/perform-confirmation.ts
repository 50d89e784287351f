import type { ApiClient } from '@mailsweep/client';
import { type ConfirmAction, MAX_EMAIL_IDS } from '@mailsweep/contracts';
import type { QueryClient } from '@tanstack/react-query';
import { sendWhenOnline } from '../../api/connection.ts';
import type { Gesture } from '../../api/gesture.ts';
import { sendInChunks } from '../../api/in-chunks.ts';
import { describeFailures } from '../../feedback/failure-reasons.ts';
import { readAllPages } from '../../queries/paged-list.ts';
import {
  ACTIVITY_KEY,
  EMAIL_LISTS_KEY,
  HISTORY_KEY,
  NEWEST_EMAILS_KEY,
  PRECISION_KEY,
  SENDERS_KEY,
  SUGGESTIONS_KEY,
} from '../../queries/query-keys.ts';
import { refresh } from '../../queries/refresh.ts';
import { toGroupFilter } from '../../queries/suggestions-query.ts';
import type { KeptGroup } from '../../session/kept-work.ts';
import { undoRecords } from '../../undo/undo-records.ts';
import type { Dependencies, PerformedWork } from '../../undo/use-undoable-work.ts';
import type { SuggestedEmail } from '../suggested-email.ts';
import { beginDecision } from './decisions.ts';
import type { OtherAction } from './other-action.ts';
import { showStopped } from './stopped-notice.ts';

/** Emails by their ids, with what is known of them, or a group whose ids are still to be found. */
export type Confirmed =
  | { emailIds: readonly string[]; emails?: readonly SuggestedEmail[] }
  | { group: KeptGroup; count: number; leftOut?: readonly SuggestedEmail[] };

const findIds = async (
  client: Pick<ApiClient, 'listStoredSuggestions'>,
  { minAcceptance, except, ...group }: KeptGroup,
): Promise<string[]> => {
  const filter = { ...toGroupFilter(group), ...(minAcceptance > 0 && { minAcceptance }) };
  const emails = await readAllPages((page) =>
    client.listStoredSuggestions({ query: { ...filter, ...page } }),
  );
  return [...new Set(emails.map(({ id }) => id))].filter((id) => !except.includes(id));
};

/**
 * Requests again what is shown of suggestions, and lets other screens do so when they are next shown: a suggestion was
 * carried out, or taken back.
 *
 * @returns when the suggestions are current
 */
const refreshAfterDecision = async (queryClient: QueryClient): Promise<void> => {
  queryClient.removeQueries({ queryKey: EMAIL_LISTS_KEY, type: 'inactive' });
  void refresh(queryClient, HISTORY_KEY, ACTIVITY_KEY, SENDERS_KEY, PRECISION_KEY);
  await queryClient.invalidateQueries({ queryKey: SUGGESTIONS_KEY });
};

/**
 * Accepts or rejects the suggestions of exactly the emails given. They are off the lists at once; what the API says
 * could not be done is back on them in the end.
 *
 * @param gesture - the click or key behind it
 * @param other - what is done instead of what is suggested
 * @param onFound - called with the ids of the emails of a group
 * @throws as the client does when nothing was done
 */
export const performConfirmation = async (
  { queryClient, client }: Dependencies,
  action: ConfirmAction,
  confirmed: Confirmed,
  gesture: Gesture,
  other?: OtherAction,
  onFound?: (ids: string[]) => void,
): Promise<PerformedWork> => {
  const endDecision = beginDecision(
    queryClient,
    'group' in confirmed
      ? { ...confirmed.group, group: confirmed.group, leftOut: confirmed.leftOut ?? [] }
      : { ids: new Set(confirmed.emailIds), emails: confirmed.emails ?? [] },
  );
  try {
    const emailIds =
      'group' in confirmed
        ? await sendWhenOnline(gesture.keyOf(0), () => findIds(client, confirmed.group))
        : confirmed.emailIds;
    onFound?.([...emailIds]);
    const { responses, stopped } = await sendInChunks(emailIds, MAX_EMAIL_IDS, (chunk, index) =>
      client.confirmSuggestions({
        body: {
          emailIds: chunk,
          action,
          ...(other && { as: other.action, ...(other.action === 'label' && { label: other.label.trim() }) }),
        },
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
        void queryClient.invalidateQueries({ queryKey: NEWEST_EMAILS_KEY });
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
