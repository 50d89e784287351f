import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { describeError } from '../api/describe-error.ts';
import { beginGesture, type Gesture } from '../api/gesture.ts';
import { countEmails, formatCount } from '../email/counts.ts';
import { describeFailures } from '../feedback/failure-reasons.ts';
import { showToast, updateToast } from '../feedback/toasts.tsx';
import { changeMailbox } from '../queries/mailbox-change.ts';
import { EMAIL_LISTS_KEY, SENDERS_KEY, SUGGESTIONS_KEY } from '../queries/query-keys.ts';
import { rememberIfSignedOut } from '../session/interrupted-work.ts';
import { undoRecords } from '../undo/undo-records.ts';

/** Undoes history records and shows the outcome. */
export const useUndoRecords = (): ((recordIds: readonly string[]) => void) => {
  const queryClient = useQueryClient();
  const { client } = useApi();
  const undo = async (recordIds: readonly string[], gesture: Gesture) => {
    const toast = showToast({ title: `Undoing ${countEmails(recordIds.length)}…`, tone: 'working' });
    try {
      const results = await changeMailbox(queryClient, () => undoRecords(client, recordIds, gesture));
      const failed = results.filter((result) => result.status === 'error').length;
      const done = results.length - failed;
      updateToast(toast, {
        title:
          failed === 0
            ? `Undone for ${countEmails(done)}`
            : `${formatCount(done)} undone · ${formatCount(failed)} left as they are`,
        detail: describeFailures(results),
        tone: failed === 0 ? 'done' : 'failed',
      });
    } catch (error) {
      rememberIfSignedOut(queryClient, error, { kind: 'undo', ids: [...recordIds] });
      const { title, advice } = describeError(error);
      const action = { label: 'Try again', run: () => void undo(recordIds, gesture) };
      updateToast(toast, {
        title: `Not undone: ${title.toLowerCase()}`,
        detail: advice,
        tone: 'failed',
        action,
      });
    }
    queryClient.removeQueries({ queryKey: [EMAIL_LISTS_KEY], type: 'inactive' });
    queryClient.removeQueries({ queryKey: SUGGESTIONS_KEY, type: 'inactive' });
    void queryClient.invalidateQueries({ queryKey: SENDERS_KEY });
    await queryClient.invalidateQueries({ queryKey: ['history'] });
  };
  return (recordIds) => {
    if (recordIds.length > 0) void undo(recordIds, beginGesture());
  };
};
