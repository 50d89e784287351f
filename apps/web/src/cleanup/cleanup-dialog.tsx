import type { CleanupPlan, InboxAction } from '@mailsweep/contracts';
import { useEffect, useState } from 'react';
import { type CleanupQuestion, PlanDialog } from './plan/plan-dialog.tsx';
import { useRunCleanup } from './use-planned-cleanup.ts';

/** Filters that select all their emails. */
export type MatchingFilters = Omit<
  Extract<CleanupPlan['selection'], { type: 'filter' }>,
  'type' | 'except' | 'scope'
> & { scope?: 'all' | undefined };

/**
 * Plans an action on every email that matches filters, loaded or not, and runs it after confirmation.
 *
 * @param props.action - null while closed
 */
export const CleanupDialog = (props: {
  action: InboxAction | null;
  filters: MatchingFilters;
  onClose: () => void;
  onStart: () => void;
}) => {
  const { action, filters, onClose, onStart } = props;
  const start = useRunCleanup();
  const [question, setQuestion] = useState<CleanupQuestion | null>(null);
  // Uses the filters at the moment of the request; an equal object is no new request.
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
