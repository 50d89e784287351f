import type { ApiClient } from '@mailsweep/client';
import { type ConfirmAction, MAX_EMAIL_IDS } from '@mailsweep/contracts';
import type { QueryClient } from '@tanstack/react-query';
import { sendWhenOnline } from '../../api/connection.ts';
import type { Gesture } from '../../api/gesture.ts';
import { sendInChunks } from '../../api/in-chunks.ts';
import { readAllPages } from '../../api/paged-list.ts';
import {
  ACTIVITY_KEY,
  EMAIL_LISTS_KEY,
  HISTORY_KEY,
  NEWEST_EMAILS_KEY,
  PRECISION_KEY,
  refresh,
  SENDERS_KEY,
  SUGGESTIONS_KEY,
} from '../../api/query-keys.ts';
import { toGroupFilter } from '../../api/suggestions-query.ts';
import { describeFailures } from '../../feedback/failure-reasons.ts';
import type { KeptGroup } from '../../session/kept-work.ts';
import { isUndone, undoRecords } from '../../undo/undo-requests.ts';
import type { Dependencies, PerformedWork } from '../../undo/use-undoable-work.ts';
import type { SuggestedEmail } from '../suggested-email.ts';
import { beginDecision, type OtherAction } from './decisions.ts';
import { showStopped } from './stopped-notice.ts';

/** Emails by id, with what is known of them, or a group whose ids are unknown. */
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
 * Refreshes suggestions after a decision or its undo.
 *
 * @returns when the suggestions are current
 */
const refreshAfterDecision = async (queryClient: QueryClient): Promise<void> => {
  queryClient.removeQueries({ queryKey: EMAIL_LISTS_KEY, type: 'inactive' });
  void refresh(queryClient, HISTORY_KEY, ACTIVITY_KEY, SENDERS_KEY, PRECISION_KEY);
  await refresh(queryClient, SUGGESTIONS_KEY);
};

/**
 * Accepts or rejects suggestions of exactly these emails. Hides them at once, and shows failed ones again at the end.
 *
 * @param gesture - the click or key behind it
 * @param other - replaces the suggested action
 * @param onFound - receives the ids of a group's emails
 * @throws as the client does if nothing was done
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
        return { undone: undone.filter(isUndone).length, failures: describeFailures(undone) };
      },
    };
  } finally {
    void refreshAfterDecision(queryClient).finally(endDecision);
  }
};
