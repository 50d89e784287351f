import { type Email, type InboxAction, MAX_EMAIL_IDS } from '@mailsweep/contracts';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { Gesture } from '../../api/gesture.ts';
import { sendInChunks } from '../../api/in-chunks.ts';
import { EMAIL_LISTS_KEY, HISTORY_KEY, refresh, SENDERS_KEY, SUGGESTIONS_KEY } from '../../api/query-keys.ts';
import { dropSuggestions } from '../../api/suggestions-query.ts';
import { isReadChange } from '../../email/email-actions.ts';
import { describeFailures } from '../../feedback/failure-reasons.ts';
import type { UndoOutcome } from '../../undo/undo-context.tsx';
import { isUndone, undoRecords } from '../../undo/undo-requests.ts';
import type { Dependencies, PerformedWork } from '../../undo/use-undoable-work.ts';
import type { ServerFilters } from '../filters/inbox-filters.ts';
import { applyAction, type EmailList, restoreEmails, toEmails } from './email-lists.ts';

/** Emails of a list before an action. */
interface Snapshot {
  queryKey: QueryKey;
  emails: Email[];
}

const scopeOf = (queryKey: QueryKey): 'inbox' | 'all' =>
  (queryKey[1] as ServerFilters | undefined)?.scope ?? 'inbox';

const changeLists = (
  { queryClient }: Dependencies,
  action: InboxAction,
  ids: ReadonlySet<string>,
): Snapshot[] => {
  const lists = queryClient.getQueriesData<EmailList>({ queryKey: EMAIL_LISTS_KEY });
  return lists.flatMap(([queryKey, list]) => {
    if (!list) return [];
    const emails = toEmails(list).filter((email) => ids.has(email.id));
    queryClient.setQueryData(queryKey, applyAction(list, { action, ids, scope: scopeOf(queryKey) }));
    return [{ queryKey, emails }];
  });
};

const restoreLists = (
  { queryClient }: Dependencies,
  snapshots: Snapshot[],
  ids: ReadonlySet<string>,
): void => {
  for (const { queryKey, emails } of snapshots) {
    const originals = emails.filter((email) => ids.has(email.id));
    queryClient.setQueryData<EmailList>(queryKey, (list) => (list ? restoreEmails(list, originals) : list));
  }
};

/**
 * Page tokens are older than the change, so the next page may start too late or too early. A marked list refetches
 * its pages before it continues, or at once if it never showed the emails.
 */
const markPagesAsMoved = (queryClient: QueryClient, snapshots: Snapshot[]): void => {
  const wereShown = snapshots.some(({ emails }) => emails.length > 0);
  const refetchType = wereShown ? 'none' : 'active';
  void queryClient.invalidateQueries({ queryKey: EMAIL_LISTS_KEY, refetchType });
};

const toUndo =
  (dependencies: Dependencies, recordIds: readonly string[], snapshots: Snapshot[]) =>
  async (gesture: Gesture): Promise<UndoOutcome> => {
    const { client, queryClient } = dependencies;
    const results = await undoRecords(client, recordIds, gesture);
    const undone = results.filter(isUndone).flatMap(({ emailId }) => emailId ?? []);
    restoreLists(dependencies, snapshots, new Set(undone));
    void refresh(queryClient, HISTORY_KEY, SUGGESTIONS_KEY, SENDERS_KEY);
    markPagesAsMoved(queryClient, snapshots);
    return { undone: undone.length, failures: describeFailures(results) };
  };

/**
 * Acts on exactly these emails: changes every list at once, calls the API, and restores what failed.
 *
 * @param gesture - the click or key behind it
 * @throws as the client does if nothing was done, after restoring everything
 */
export const performInboxAction = async (
  dependencies: Dependencies,
  action: InboxAction,
  emailIds: string[],
  gesture: Gesture,
): Promise<PerformedWork> => {
  const { queryClient, client } = dependencies;
  await queryClient.cancelQueries({ queryKey: EMAIL_LISTS_KEY });
  const snapshots = changeLists(dependencies, action, new Set(emailIds));
  const { responses, stopped } = await sendInChunks(emailIds, MAX_EMAIL_IDS, (ids, index) =>
    client.executeInboxAction({ body: { emailIds: ids, action }, idempotencyKey: gesture.keyOf(index) }),
  ).catch((error: unknown) => {
    restoreLists(dependencies, snapshots, new Set(emailIds));
    markPagesAsMoved(queryClient, snapshots);
    void refresh(queryClient, SENDERS_KEY);
    throw error;
  });
  const results = responses.flatMap((response) => response.results);
  const succeeded = results.filter((result) => result.status === 'ok');
  const done = succeeded.map((result) => result.emailId);
  const failed = results.filter((result) => result.status === 'error').map((result) => result.emailId);
  // A list fetched meanwhile may show the emails again.
  await queryClient.cancelQueries({ queryKey: EMAIL_LISTS_KEY });
  changeLists(dependencies, action, new Set(done));
  restoreLists(dependencies, snapshots, new Set([...failed, ...(stopped?.left ?? [])]));
  if (!isReadChange(action)) dropSuggestions(queryClient, new Set(done));
  void refresh(queryClient, HISTORY_KEY, SENDERS_KEY);
  markPagesAsMoved(queryClient, snapshots);
  const recordIds = succeeded.flatMap((result) => result.recordId ?? []);
  return { results, recordIds, stopped, undo: toUndo(dependencies, recordIds, snapshots) };
};
