import type { CleanupPlan, InboxAction } from '@mailsweep/contracts';
import { useEffect, useState } from 'react';
import { type CleanupQuestion, PlanDialog } from './plan/plan-dialog.tsx';
import { useRunCleanup } from './use-run-cleanup.ts';

/** Filters of the list whose emails are all meant. */
export type MatchingFilters = Omit<
  Extract<CleanupPlan['selection'], { type: 'filter' }>,
  'type' | 'except' | 'scope'
> & { scope?: 'all' | undefined };

/**
 * Plans an action on every email that filters match, also those that are not loaded, and runs it once the user agrees.
 *
 * @param props.action - null while the dialog is closed
 */
export const CleanupDialog = (props: {
  action: InboxAction | null;
  filters: MatchingFilters;
  onClose: () => void;
  /** Called when the cleanup starts. */
  onStart: () => void;
}) => {
  const { action, filters, onClose, onStart } = props;
  const start = useRunCleanup();
  const [question, setQuestion] = useState<CleanupQuestion | null>(null);
  // The filters at the moment of the request count; a new object of the same filters is no new request.
  useEffect(() => {
    const selection = { type: 'filter' as const, scope: 'inbox' as const, except: [], ...filters };
    setQuestion(action && { request: { action, selection } });
  }, [action]);
  return (
    <PlanDialog
      question={question}
      onClose={onClose}
      onYes={(plan) => {
        onClose();
        onStart();
        start(plan);
      }}
    />
  );
};
