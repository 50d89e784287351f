import type { CleanupPlan, InboxAction } from '@mailsweep/contracts';
import { useState } from 'react';
import { PlanDialog } from './plan/plan-dialog.tsx';
import { useRunCleanup } from './use-planned-cleanup.ts';

/** Filters that select all their emails. */
export type MatchingFilters = Omit<
  Extract<CleanupPlan['selection'], { type: 'filter' }>,
  'type' | 'except' | 'scope'
> & { scope?: 'all' | undefined };

/** Plans an action on every email that matches filters, loaded or not, and runs it after confirmation. */
export const CleanupDialog = (props: {
  action: InboxAction;
  filters: MatchingFilters;
  onClose: () => void;
  onStart: () => void;
}) => {
  const { action, filters, onClose, onStart } = props;
  const start = useRunCleanup();
  // As the filters were when it was asked for.
  const [question] = useState(() => {
    const selection = { type: 'filter' as const, scope: 'inbox' as const, except: [], ...filters };
    return { request: { action, selection } };
  });
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
