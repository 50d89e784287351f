import { type Email, type InboxAction, type ItemResult, MAX_EMAIL_IDS } from '@mailsweep/contracts';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { ApiClient } from '../api/api-client.ts';
import { inChunks } from '../api/in-chunks.ts';
import { describeFailures } from '../feedback/failure-reasons.ts';
import { findHistoryRecords } from '../undo/find-history-records.ts';
import { undoRecords } from '../undo/undo-records.ts';
import type { UndoOutcome } from '../undo/undo-stack.ts';
import { applyAction, type EmailList, restoreEmails, toEmails } from './email-lists.ts';
import type { ServerFilters } from './inbox-filters.ts';
import { EMAIL_LISTS_KEY } from './inbox-query.ts';

interface Dependencies {
  queryClient: QueryClient;
  client: ApiClient;
}

/** The mails of one list as they were before an action. */
interface Snapshot {
  queryKey: QueryKey;
  emails: Email[];
}

const scopeOf = (queryKey: QueryKey): 'inbox' | 'all' => (queryKey[1] as ServerFilters | undefined)?.scope ?? 'inbox';

const changeLists = (
  { queryClient }: Dependencies,
  action: InboxAction,
  ids: ReadonlySet<string>,
): Snapshot[] => {
  const lists = queryClient.getQueriesData<EmailList>({ queryKey: [EMAIL_LISTS_KEY] });
  return lists.flatMap(([queryKey, list]) => {
    if (!list) return [];
    const emails = toEmails(list).filter((email) => ids.has(email.id));
    queryClient.setQueryData(queryKey, applyAction(list, { action, ids, scope: scopeOf(queryKey) }));
    return [{ queryKey, emails }];
  });
};

const restoreLists = ({ queryClient }: Dependencies, snapshots: Snapshot[], ids: ReadonlySet<string>): void => {
  for (const { queryKey, emails } of snapshots) {
    const originals = emails.filter((email) => ids.has(email.id));
    queryClient.setQueryData<EmailList>(queryKey, (list) => (list ? restoreEmails(list, originals) : list));
  }
};

/** What an action did, and the way back. */
export interface PerformedAction {
  results: ItemResult[];
  undo: () => Promise<UndoOutcome>;
}

const toUndo =
  (dependencies: Dependencies, input: { action: InboxAction; emailIds: string[]; snapshots: Snapshot[] }) =>
  async (): Promise<UndoOutcome> => {
    const { client, queryClient } = dependencies;
    const recordIds = await findHistoryRecords({ client, emailIds: input.emailIds, action: input.action });
    const results = await undoRecords(client, recordIds);
    const undone = results.flatMap((result) => (result.status === 'ok' ? [result.emailId] : []));
    restoreLists(dependencies, input.snapshots, new Set(undone));
    void queryClient.invalidateQueries({ queryKey: ['history'] });
    const unrecorded = input.emailIds.length - recordIds.length;
    const failures = [describeFailures(results), unrecorded > 0 ? `${unrecorded} not in the history yet` : ''];
    return { undone: undone.length, failures: failures.filter(Boolean).join(' · ') };
  };

/**
 * Acts on exactly the mails given: changes every list at once, asks the API, and puts back what the API says
 * could not be done.
 *
 * @throws as the client does, after everything was put back
 */
export const performInboxAction = async (
  dependencies: Dependencies,
  action: InboxAction,
  emailIds: string[],
): Promise<PerformedAction> => {
  const { queryClient, client } = dependencies;
  await queryClient.cancelQueries({ queryKey: [EMAIL_LISTS_KEY] });
  const snapshots = changeLists(dependencies, action, new Set(emailIds));
  const results: ItemResult[] = [];
  try {
    for (const ids of inChunks(emailIds, MAX_EMAIL_IDS)) {
      results.push(...(await client.executeInboxAction({ body: { emailIds: ids, action } })).results);
    }
  } catch (error) {
    const settled = new Set(results.filter((result) => result.status === 'ok').map((result) => result.emailId));
    restoreLists(dependencies, snapshots, new Set(emailIds.filter((id) => !settled.has(id))));
    throw error;
  }
  const done = results.filter((result) => result.status === 'ok').map((result) => result.emailId);
  const failed = results.filter((result) => result.status === 'error').map((result) => result.emailId);
  restoreLists(dependencies, snapshots, new Set(failed));
  void queryClient.invalidateQueries({ queryKey: ['history'] });
  void queryClient.invalidateQueries({ queryKey: [EMAIL_LISTS_KEY], refetchType: 'none' });
  return { results, undo: toUndo(dependencies, { action, emailIds: done, snapshots }) };
};
